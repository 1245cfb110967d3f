// SPDX-License-Identifier: GPL-2.0-or-later
// Two CPUs with three frequencies and an idle state, for acpi-cpufreq and acpi_idle.  The
// state is kept in scratch registers of serial ports.
DefinitionBlock ("", "SSDT", 1, "SYSMON", "LABCPUS", 1)
{
    External (\_SB.CPUS.C000, DeviceObj)
    External (\_SB.CPUS.C001, DeviceObj)

    Name (\PSSS, Package () {
        // MHz, mW, us of transition and of bus, control, status
        Package () {3000, 30000, 10, 10, 3, 3},
        Package () {2000, 15000, 10, 10, 2, 2},
        Package () {1000, 6000, 10, 10, 1, 1}
    })
    // C1: a halt
    Name (\CSTS, Package () {1,
        Package () {ResourceTemplate () {Register (FFixedHW, 0, 0, 0)}, 1, 2, 1000}
    })

    Scope (\_SB.CPUS.C000)
    {
        Name (_PCT, Package () {
            ResourceTemplate () {Register (SystemIO, 8, 0, 0x2FF)},
            ResourceTemplate () {Register (SystemIO, 8, 0, 0x2FF)}
        })
        Method (_PSS) { Return (\PSSS) }
        Name (_PPC, 0)
        Method (_CST) { Return (\CSTS) }
    }

    Scope (\_SB.CPUS.C001)
    {
        Name (_PCT, Package () {
            ResourceTemplate () {Register (SystemIO, 8, 0, 0x2EF)},
            ResourceTemplate () {Register (SystemIO, 8, 0, 0x2EF)}
        })
        Method (_PSS) { Return (\PSSS) }
        Name (_PPC, 0)
        Method (_CST) { Return (\CSTS) }
    }
}
