#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""bpf2h.py NAME.bpf.c: compiles a BPF program with $CLANG and prints the tables of bpf/bpf_object.h.

Refuses what needs more than that loader: calls of functions, string constants, several variables in one section,
relocations other than those of maps, variables, symbols of the kernel, offsets of members and their existence.
"""
import hashlib, os, struct, subprocess, sys, tempfile

CLANG = os.environ.get("CLANG", "clang")
FLAGS = "-mcpu=v3 -O2 -g -std=gnu11 -ffreestanding -nostdlibinc -Wall -Wextra -Werror -Ilibsysmon".split()
PROGRAM_TYPES = {"socket": 1, "raw_tp": 17, "syscall": 31}
INSNS_MAX, MEMBERS_MAX, MAPS_MAX, SYMBOLS_MAX, PROGRAMS_MAX = 1024, 32, 8, 8, 32  # SM_BPF_*_MAX of bpf/bpf_object.h
MAP_ARRAY, F_MMAPABLE, F_RDONLY_PROG = 2, 1 << 10, 1 << 7
LD_IMM64, CALL, SHF_EXECINSTR, SHT_NOBITS, STT_FUNC, SHN_UNDEF = 0x18, 0x85, 4, 8, 2, 0
KIND_INT, KIND_PTR, KIND_ARRAY, KIND_DATASEC = 1, 2, 3, 15
KIND_ALIASES = (8, 9, 10, 11, 18)  # typedef, volatile, const, restrict, type tag
# Bytes that follow a type, and those for each of its elements, by kind: Documentation/bpf/btf.rst
KIND_TAIL = {1: (4, 0), 3: (12, 0), 4: (0, 12), 5: (0, 12), 6: (0, 8), 13: (0, 8), 14: (4, 0), 15: (0, 12), 17: (4, 0), 19: (0, 12)}


class Refused(Exception):
    pass


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise Refused(f"{command[0]} failed")
    return done.stdout


class Type:
    def __init__(self, name, info, size, tail):
        self.name, self.kind, self.size, self.ref, self.tail = name, info >> 24 & 0x1F, size, size, tail


class Btf:
    def __init__(self, data, end):
        self.end = end
        _, _, _, head, at, bytes_, strings, _ = struct.unpack_from(end + "HBBIIIII", data)
        self.strings, self.types = data[head + strings :], [Type("", 0, 0, b"")]
        at += head
        last = at + bytes_
        while at < last:
            name, info, size = struct.unpack_from(end + "III", data, at)
            fixed, each = KIND_TAIL.get(info >> 24 & 0x1F, (0, 0))
            tail = data[at + 12 : at + 12 + fixed + each * (info & 0xFFFF)]
            self.types.append(Type(self.text(name), info, size, tail))
            at += 12 + len(tail)

    def text(self, at):
        return self.strings[at : self.strings.index(b"\0", at)].decode()

    def real(self, i):
        while self.types[i].kind in KIND_ALIASES:
            i = self.types[i].ref
        return self.types[i]

    def elements(self, t):  # of a structure: name, type, offset; of a section: variable, offset, bytes
        return list(struct.iter_unpack(self.end + "III", t.tail))

    def array(self, t):  # type of the elements, number
        return struct.unpack(self.end + "III", t.tail)[::2]

    def bytes(self, i):
        t = self.real(i)
        if t.kind == KIND_ARRAY:
            element, n = self.array(t)
            return n * self.bytes(element)
        return 8 if t.kind == KIND_PTR else t.size

    def member(self, i, access):  # structure, member, bytes as sm_btf_member.size
        t, path = self.real(i), []
        structure = t.name
        for index in access.split(":")[1:]:
            if t.kind == KIND_ARRAY:  # the address of the first element is that of the member
                break
            name, i, _ = self.elements(t)[int(index)]
            path.append(self.text(name))
            t = self.real(i)
        return structure, ".".join(path), 0 if t.kind == KIND_PTR else self.bytes(i)


class Object:
    def __init__(self, path, end):
        with open(path, "rb") as f:
            self.data = data = f.read()
        self.end, self.fixups, self.members, self.kernel, self.first = end, [], [], [], {}
        at, = struct.unpack_from(end + "Q", data, 40)
        size, n, names = struct.unpack_from(end + "HHH", data, 58)
        self.headers = [struct.unpack_from(end + "IIQQQQIIQQ", data, at + i * size) for i in range(n)]
        self.names = [self.string(names, h[0]) for h in self.headers]
        strings = self.headers[self.names.index(".symtab")][6]
        self.symbols = [(self.string(strings, name), info & 15, section, value, bytes_) for
                        name, info, _, section, value, bytes_ in self.records(".symtab", "IBBHQQ")]
        self.btf = Btf(self.section(".BTF"), end)
        self.read_programs()
        self.read_maps()
        self.read_relocations()
        self.read_core_relocations()
        for things, most in ((self.maps, MAPS_MAX), (self.members, MEMBERS_MAX), (self.kernel, SYMBOLS_MAX),
                             (self.programs, PROGRAMS_MAX)):
            if len(things) > most:
                raise Refused(f"{len(things)} maps, members, symbols or programs: more than {most}")

    def string(self, section, at):
        at += self.headers[section][4]
        return self.data[at : self.data.index(b"\0", at)].decode()

    def section(self, name):
        h = self.headers[self.names.index(name)]
        return bytes(h[5]) if h[1] == SHT_NOBITS else self.data[h[4] : h[4] + h[5]]

    def records(self, section, layout):
        return struct.iter_unpack(self.end + layout, self.section(section))

    def read_programs(self):
        self.code, self.programs = [], []  # name, tracepoint, type, first instruction, instructions
        for s, section in enumerate(self.names):
            if not self.headers[s][2] & SHF_EXECINSTR or not self.headers[s][5]:
                continue
            kind, _, tracepoint = section.partition("/")
            if kind not in PROGRAM_TYPES:
                raise Refused(f"code in section {section}: a function is not INLINE, or has no SEC()")
            self.first[section] = len(self.code)
            for name, what, of, value, bytes_ in sorted(self.symbols, key=lambda x: x[3]):
                if (of, what) != (s, STT_FUNC):
                    continue
                if bytes_ // 8 > INSNS_MAX:
                    raise Refused(f"{name}: {bytes_ // 8} instructions, more than {INSNS_MAX}")
                self.programs.append((name, tracepoint, PROGRAM_TYPES[kind], len(self.code) + value // 8, bytes_ // 8))
            self.code += self.records(section, "BBhi")

    def read_maps(self):
        self.maps = []  # name, type, bytes of the key and of the value, entries, flags, section
        for t in self.btf.types:
            if t.kind != KIND_DATASEC or t.name in ("license", ".ksyms"):
                continue
            variables = [(self.btf.types[v], bytes_) for v, _, bytes_ in self.btf.elements(t)]
            if t.name == ".maps":
                self.maps += [self.map(v) for v, _ in variables]
            elif t.name.startswith((".bss", ".data", ".rodata")) and len(variables) == 1:
                flags = F_RDONLY_PROG if t.name == ".rodata" else F_MMAPABLE
                self.maps.append((variables[0][0].name, MAP_ARRAY, 4, variables[0][1], 1, flags, t.name))
            else:
                raise Refused(f"section {t.name}: only one variable can be in it")

    def map(self, variable):
        d = dict.fromkeys(("type", "key", "value", "max_entries", "map_flags"), 0)
        for name, i, _ in self.btf.elements(self.btf.real(variable.ref)):
            name, target = self.btf.text(name), self.btf.real(i).ref
            d[name] = self.btf.bytes(target) if name in ("key", "value") else self.btf.array(self.btf.real(target))[1]
        return variable.name, *d.values(), ".maps"

    def find_map(self, symbol, section):
        for i, m in enumerate(self.maps):
            if section == m[6] and (section != ".maps" or symbol == m[0]):
                return i
        raise Refused(f"{symbol or 'a constant'} in section {section}, which is not loaded")

    def read_relocations(self):
        for section, first in self.first.items():
            for offset, info in self.records(".rel" + section, "QQ") if ".rel" + section in self.names else ():
                symbol, _, target, value, _ = self.symbols[info >> 32]
                at, where = first + offset // 8, self.names[target] if target < len(self.names) else "none"
                call = self.code[at][0] == CALL
                if target == SHN_UNDEF:  # PERCPU(), FUNCTION(), KFUNC of bpf_kern.h
                    self.symbol(at, symbol, "SM_BPF_CALL" if call else "SM_BPF_SYMBOL")
                    continue
                if self.code[at][0] != LD_IMM64:
                    raise Refused(f"a call of {symbol or where}")
                self.fixups.append((at, "SM_BPF_MAP" if where == ".maps" else "SM_BPF_VALUE", self.find_map(symbol, where)))
                if where != ".maps":  # the offset is in the symbol, or in the instruction if the symbol is the section
                    self.code[at + 1] = (0, 0, 0, value + self.code[at][3])

    def symbol(self, at, name, kind):
        if (name, kind) not in self.kernel:
            self.kernel.append((name, kind))
        self.fixups.append((at, kind, self.kernel.index((name, kind))))

    def read_core_relocations(self):  # Documentation/bpf/llvm_reloc.rst
        ext = self.section(".BTF.ext")
        head, = struct.unpack_from(self.end + "I", ext, 4)
        at, bytes_ = struct.unpack_from(self.end + "II", ext, 24) if head >= 32 else (0, 0)
        at, last = head + at + 4, head + at + bytes_
        while at < last:
            section, n = struct.unpack_from(self.end + "II", ext, at)
            at += 8
            for insn, t, access, kind in struct.iter_unpack(self.end + "IIII", ext[at : at + n * 16]):
                if kind == 7:  # TYPE_ID() of bpf_kern.h
                    self.symbol(self.first[self.btf.text(section)] + insn // 8, self.btf.real(t).name, "SM_BPF_TYPE")
                    continue
                if kind not in (0, 2):
                    raise Refused(f"a relocation of kind {kind}: neither an offset, existence nor a type")
                member = self.btf.member(t, self.btf.text(access))
                if member not in self.members:
                    self.members.append(member)
                self.fixups.append((self.first[self.btf.text(section)] + insn // 8,
                                    "SM_BPF_EXISTS" if kind else "SM_BPF_OFFSET", self.members.index(member)))
            at += n * 16


def packed(rows):  # as many on a line as fit into 100 columns
    lines = []
    for r in ("{" + ", ".join(map(str, r)) + "}," for r in rows):
        if lines and len(lines[-1]) + len(r) < 92:
            lines[-1] += " " + r
        else:
            lines.append(r)
    return "".join(f"\t{line}\n" for line in lines)


def tables(source, name, end):
    with tempfile.TemporaryDirectory() as tmp:
        run(CLANG, "--target=bpf" + ("el" if end == "<" else "eb"), *FLAGS, "-c", source, "-o", tmp + "/object")
        o = Object(tmp + "/object", end)
    names = []

    def text(*words):  # their offsets in the text of all
        at = [sum(len(n) + 1 for n in names + list(words[:i])) for i in range(len(words))]
        names.extend(words)
        return at

    registers = lambda byte: (byte & 15, byte >> 4) if end == "<" else (byte >> 4, byte & 15)
    all_tables = (
        ("bpf_insn", "insn", [(code, *registers(r), off, imm) for code, r, off, imm in o.code]),
        ("sm_bpf_fixup", "fixup", sorted(o.fixups)),
        ("sm_bpf_member", "member", [(*text(*m[:2]), m[2]) for m in o.members]),
        ("sm_bpf_map", "map", [(*text(m[0]), *m[1:6]) for m in o.maps]),
        ("sm_bpf_symbol", "symbol", [(*text(s), kind) for s, kind in o.kernel]),
        ("sm_bpf_program", "program", [(*text(*p[:2]), *p[2:]) for p in o.programs]),
    )
    out = ""
    for kind, things in (("PROGRAM", o.programs), ("MAP", o.maps)):
        out += f"enum {{ {', '.join(kind + '_' + t[0].upper() for t in things)} }};\n" if things else ""
    for kind, what, rows in all_tables:
        out += f"static const struct {kind} {name}_{what}[] = {{\n{packed(rows)}}};\n" if rows else ""
    out += f"static const struct sm_bpf_object {name}_bpf = {{\n\t.names = "
    out += "\n\t\t ".join(f'"{n}\\0"' for n in names) + ",\n"
    out += "".join(f"\t.{what} = {name}_{what}, .{what}s = {len(rows)},\n" for _, what, rows in all_tables if rows)
    return out + "};\n"


def main(source):
    name = os.path.basename(source).removesuffix(".bpf.c")
    little, big = tables(source, name, "<"), tables(source, name, ">")
    if little != big:
        little = f"#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__\n{little}#else\n{big}#endif\n"
    made_of = run(CLANG, "--target=bpfel", *FLAGS, "-MM", source).replace("\\\n", " ").split(":", 1)[1].split()
    made_of = sorted(made_of) + [os.path.relpath(__file__)]
    digest = hashlib.sha256(b"".join(open(f, "rb").read() for f in made_of)).hexdigest()
    print(f"""/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * {name}.bpf: the programs of {name}.bpf.c, for bpf/bpf_object.h.  Private to {name}.c.  Made by `make bpf`.
 *
 * Compiler: {run(CLANG, "--version").splitlines()[0]}
 * Sources: {" ".join(made_of)}
 * SHA-256: {digest}
 */
#include "bpf/bpf_object.h"

{little}""", end="")


try:
    main(sys.argv[1])
except Refused as e:
    sys.exit(f"{sys.argv[1]}: {e}")
