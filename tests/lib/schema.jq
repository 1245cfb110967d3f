# SPDX-License-Identifier: GPL-2.0-or-later
# The errors of each record (input) against $schema, in the part of JSON Schema that the tools' schemas use.
# With `-n` and $check: what of the schema is not of that part, or admits any key.
def is($t): type == $t or ($t == "integer" and type == "number" and floor == .);

def errors($s; $at):
	. as $v |
	if $s == false then "\($at): a key that is not in the schema"
	elif $s["$ref"] then errors($schema[0]["$defs"][$s["$ref"][8:]]; $at)
	elif $s.oneOf then
		([$s.oneOf[] as $b | select(isempty(errors($b; $at)))] | length) as $fit | # the first error of each is enough
		if $fit == 1 then empty
		elif $fit == 0 then [$s.oneOf[] as $b | [errors($b; $at)]] | min_by(length)[]
		else "\($at): fits \($fit) kinds of record" end
	else
		([$s.type // empty] | flatten) as $types |
		(if $types != [] and all($types[] as $t | $v | is($t); not) then "\($at): \(tojson) is no \($types | join(" or "))"
		 else empty end),
		(if $s.const != null and $s.const != $v then "\($at): \(tojson) is not \($s.const)" else empty end),
		(if $s.enum and all($s.enum[]; . != $v) then "\($at): \(tojson) is not of the list" else empty end),
		(if type == "array" then range(length) as $i | .[$i] | errors($s.items; "\($at)[\($i)]")
		 elif type == "object" then
			($s.required // [] | .[] | select(. as $k | $v | has($k) | not) | "\($at): no \(.)"),
			(keys[] as $k | .[$k] | errors($s.properties[$k] // $s.additionalProperties; "\($at).\($k)"))
		 else empty end)
	end;

def schemas: select(type == "object") |
	., ((.properties, .["$defs"] | .[]?), .items, .additionalProperties, .oneOf[]? | schemas);

if $check then
	$schema[0] | schemas |
	(keys - ("$schema $ref $defs title description type properties required additionalProperties items enum const oneOf" / " ") | .[]),
	select(.type == "object" and (has("additionalProperties") | not))
else errors($schema[0]; .type // "record") end
