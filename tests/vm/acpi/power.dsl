// SPDX-License-Identifier: GPL-2.0-or-later
// A laptop's power as ACPI tells it, for the kernel's own drivers: two batteries, a charger,
// two thermal zones.
//
//	BAT0  mWh  9 W + 2 W for each of the load's steps    BAT1  mAh  0.5 A at 12 V: 6 W
//	TZ00  40.4 C, and 0.1 more each 10 s, to 80.4 C      TZ01  -8 C
//
// What they have lost is the integral over the kernel's clock (Timer).  Integers have 32 bits:
// the DSDT that qemu brings is of revision 1.  Timer is cut to 429 s; TZ00 is polled each
// second, so no more than that is ever missed.  The scratch register of the third serial port
// is the board:
//
//	bit 0  the charger is plugged in: nothing is drained	bit 1  BAT1 is taken out
//	bit 2  the rates are not known		bits 4-7  the load
DefinitionBlock ("", "SSDT", 1, "SYSMON", "LABPOWER", 1)
{
    Scope (\_SB)
    {
        OperationRegion (BRDR, SystemIO, 0x03EF, 1)
        Field (BRDR, ByteAcc, NoLock, Preserve)
        {
            PLUG, 1,
            OUT1, 1,
            BLND, 1,
                , 1,
            WORK, 4
        }
        Field (BRDR, ByteAcc, NoLock, Preserve)
        {
            BYTE, 8
        }
        Name (SEEN, 0)          // the board at the last poll
        Name (LAST, 0)          // Timer up to where it is integrated
        Name (RUNS, 0)          // has it begun?
        Name (AGES, 0)          // ms since then
        Name (LEF0, 50000)      // mWh, mAh
        Name (PAR0, 0)          // mW * ms, mA * ms of the next one
        Name (LEF1, 4000)
        Name (PAR1, 0)

        Method (RAT0, 0, NotSerialized) // mW
        {
            Return (9000 + WORK * 2000)
        }

        Method (STEP, 1, Serialized) // Arg0: ms, at most 100000
        {
            AGES += Arg0
            If (PLUG)
            {
                Return (0)
            }
            PAR0 += RAT0 () * Arg0
            LEF0 -= PAR0 / 3600000
            PAR0 %= 3600000
            If (!OUT1)
            {
                PAR1 += 500 * Arg0
                LEF1 -= PAR1 / 3600000
                PAR1 %= 3600000
            }
            Return (0)
        }

        Method (PASS, 0, Serialized) // time passes
        {
            Local0 = Timer
            If (!RUNS)
            {
                RUNS = 1
                LAST = Local0
            }
            Local1 = (Local0 - LAST) / 10000
            LAST += Local1 * 10000
            While (Local1 > 100000)
            {
                STEP (100000)
                Local1 -= 100000
            }
            STEP (Local1)
        }

        // Remaining capacity, rate, voltage: of an unplugged battery, and of a full house.
        Method (STAT, 3, Serialized)
        {
            Local0 = Package (4) {0, 0, 0, 0}
            Local0 [0] = 1
            Local0 [1] = Arg1
            If (PLUG)
            {
                Local0 [0] = 0
                Local0 [1] = 0
            }
            ElseIf (BLND)
            {
                Local0 [1] = 0xFFFFFFFF
            }
            Local0 [2] = Arg0
            Local0 [3] = Arg2
            Return (Local0)
        }

        Device (BAT0)
        {
            Name (_HID, EisaId ("PNP0C0A"))
            Name (_UID, 1)
            Name (_PCL, Package () {\_SB})
            Method (_STA) { Return (0x1F) }
            Name (_BIF, Package () {0, 60000, 55000, 1, 11400, 3000, 1000, 1, 1,
                "Lab mWh", "1", "LION", "sysmon"})
            Method (_BST, 0, Serialized)
            {
                PASS ()
                Return (STAT (LEF0, RAT0 (), 11400))
            }
        }

        Device (BAT1)
        {
            Name (_HID, EisaId ("PNP0C0A"))
            Name (_UID, 2)
            Name (_PCL, Package () {\_SB})
            Method (_STA)
            {
                If (OUT1)
                {
                    Return (0x0F)
                }
                Return (0x1F)
            }
            Name (_BIF, Package () {1, 5000, 4500, 1, 12000, 300, 100, 1, 1,
                "Lab mAh", "2", "LION", "sysmon"})
            Method (_BST, 0, Serialized)
            {
                PASS ()
                Return (STAT (LEF1, 500, 12000))
            }
        }

        Device (AC0)
        {
            Name (_HID, "ACPI0003")
            Name (_PCL, Package () {\_SB})
            Method (_PSR) { Return (PLUG) }
        }
    }

    Scope (\_TZ)
    {
        ThermalZone (TZ00)
        {
            Name (_TZP, 10) // poll each second
            Name (_CRT, 3732)
            Method (_TMP, 0, Serialized)
            {
                \_SB.PASS ()
                Local0 = \_SB.BYTE
                If (Local0 != \_SB.SEEN)
                {
                    \_SB.SEEN = Local0
                    Notify (\_SB.AC0, 0x80)
                    Notify (\_SB.BAT0, 0x80)
                    Notify (\_SB.BAT1, 0x81)
                }
                Return (2732 + 404 + (\_SB.AGES / 10000) % 400)
            }
        }

        ThermalZone (TZ01)
        {
            Name (_CRT, 3732)
            Method (_TMP) { Return (2732 - 80) }
        }
    }
}
