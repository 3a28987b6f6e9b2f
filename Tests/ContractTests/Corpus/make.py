#!/usr/bin/env python3
"""Makes the files of this folder and their table, README.md.

Each file is opened by a store: `loaded` finds a document (whose `name` is "Ann" where it has one),
`empty` nothing to lose, `damaged` what no save may overwrite.
"""
import os
import struct

here = os.path.dirname(os.path.abspath(__file__))
rows = []


def make(name, outcome, what, content):
    data = content if isinstance(content, bytes) else content.encode()
    with open(os.path.join(here, name), "wb") as file:
        file.write(data)
    rows.append((name, outcome, what))


HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" '
    '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
)


def xml(inner):
    return HEAD + '<plist version="1.0">' + inner + "</plist>\n"


def binary(objects, top=0, table=None, count=None, offset=None, size=1, reference=1):
    """A binary property list of encoded objects; the trailer can be made to lie."""
    data = b"bplist00"
    offsets = []
    for item in objects:
        offsets.append(len(data))
        data += item
    start = len(data)
    for place in table if table is not None else offsets:
        data += place.to_bytes(size, "big")
    return data + struct.pack(
        ">5xBBBQQQ", 0, size, reference, len(objects) if count is None else count, top,
        start if offset is None else offset)


def text(value):
    return bytes([0x50 + len(value)]) + value.encode()


def dictionary(keys, values):
    return bytes([0xD0 + len(keys)]) + bytes(keys) + bytes(values)


json = '{"name": "Ann", "count": 7}'
plist = xml("<dict><key>name</key><string>Ann</string><key>count</key><integer>7</integer></dict>")
bplist = binary([dictionary([1, 2], [3, 4]), text("name"), text("count"), text("Ann"), b"\x10\x07"])

# What is there and good.
make("good.json", "loaded", "an ordinary file", json)
make("good.plist", "loaded", "an ordinary file", plist)
make("good.bplist", "loaded", "an ordinary file", bplist)
make("bytes-mark.json", "loaded", "begins with a byte order mark", b"\xef\xbb\xbf" + json.encode())
make("duplicate-keys.json", "loaded", "a key twice: the last one wins", '{"name": "Bob", "name": "Ann"}')
make("duplicate-keys.plist", "loaded", "a key twice: the last one wins",
     xml("<dict><key>name</key><string>Bob</string><key>name</key><string>Ann</string></dict>"))
make("duplicate-keys.bplist", "loaded", "a key twice: the last one wins",
     binary([dictionary([1, 1], [2, 3]), text("name"), text("Bob"), text("Ann")]))
make("odd-dates.plist", "loaded", "dates that are no dates of ours: the year 0, a fraction (by libFuzzer)",
     xml("<dict><key>name</key><string>Ann</string><key>a</key><date>0000-01-01T00:00:00Z</date>"
         "<key>b</key><date>2001-01-01T00:00:00.5Z</date></dict>"))
make("wrong-types.json", "loaded", "values of other types", '{"name": "Ann", "count": true, "note": 5}')
make("unknown-keys.json", "loaded", "keys of a newer version",
     '{"future": {"x": [1, null, "\u00e9", 9007199254740993, 1e400]}, "name": "Ann"}')

# Nothing to lose.
make("empty.json", "empty", "no bytes", "")
make("empty.plist", "empty", "no bytes", "")
make("empty.bplist", "empty", "no bytes", "")
make("blank.json", "empty", "only white space", " \n\t\r\n")
make("blank.plist", "empty", "only white space", " \n\t\r\n")

# Cut off, overwritten, added to.
make("cut.json", "damaged", "cut off in a string", json[:11])
make("cut.plist", "damaged", "cut off in an element", plist[:-40])
make("cut.bplist", "damaged", "cut off before the trailer", bplist[:-20])
make("only-magic.bplist", "damaged", "only the first eight bytes", b"bplist00")
for suffix in ("json", "plist", "bplist"):
    make("zeros." + suffix, "damaged", "512 NUL bytes, as after a power cut", bytes(512))
make("trailing.json", "damaged", "garbage after the document", json + "}")
make("trailing.plist", "damaged", "garbage after the document", plist + "<dict/>")
make("tail-of-longer.json", "damaged", "the tail of an older, longer version", json + '", "count": 12}')
make("trailing.bplist", "damaged", "garbage after the trailer", bplist + b"\x00")
make("two-documents.json", "damaged", "two documents, as two writers without a lock leave",
     json + json)

# Not a document, or of another format.
make("root-array.json", "damaged", "an array", "[1, 2]")
make("root-null.json", "damaged", "null", "null")
make("root-array.plist", "damaged", "an array", xml("<array/>"))
make("root-string.plist", "damaged", "a string", xml("<string>Ann</string>"))
make("root-array.bplist", "damaged", "an array", binary([b"\xa0"]))
make("xml.json", "damaged", "a property list under the name of a JSON file", plist)
make("json.plist", "damaged", "JSON under the name of a property list", json)
make("words.plist", "damaged", "what Foundation reads as a string", "hello")
make("old-style.plist", "damaged", "the property lists of NeXT", "{ name = Ann; }")
make("comments.json", "damaged", "JSON with comments", '{"name": "Ann" /* her */}')
make("comma.json", "damaged", "a comma too many", '{"name": "Ann",}')
make("single-quotes.json", "damaged", "what Python prints", "{'name': 'Ann'}")
make("nan.json", "damaged", "a number that JSON does not have", '{"count": NaN}')
make("utf16.json", "damaged", "UTF-16, which RFC 8259 excludes", json.encode("utf-16"))

# Bytes and characters that must not be.
make("latin1.json", "damaged", "Latin-1: not UTF-8", b'{"name": "\xe9"}')
make("overlong.json", "damaged", "an overlong form of UTF-8", b'{"name": "\xc0\xaf"}')
make("surrogate.json", "damaged", "half a surrogate pair", '{"name": "\\ud800"}')
make("control.json", "damaged", "a control character that is not escaped", '{"name": "\x01"}')
make("latin1.plist", "damaged", "Latin-1: not UTF-8", plist.encode().replace(b"Ann", b"\xe9"))
make("nul.plist", "damaged", "a NUL in a string", plist.encode().replace(b"Ann", b"A\x00n"))
make("nul-reference.plist", "damaged", "a reference to NUL", plist.replace("Ann", "&#0;"))

# XML that must not be believed.
make("entity-bomb.plist", "damaged", "a billion laughs", plist.replace(
    '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '"x" [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>')
     .replace("Ann", "&c;"))
make("external-entity.plist", "damaged", "a file of the machine as an entity", plist.replace(
    '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '"x" [<!ENTITY secret SYSTEM "file:///etc/hostname">]>').replace("Ann", "&secret;"))
make("unknown-entity.plist", "damaged", "an entity that is not there", plist.replace("Ann", "&secret;"))
make("unknown-element.plist", "damaged", "an element of another language",
     plist.replace("<integer>7</integer>", "<number>7</number>"))
make("no-value.plist", "damaged", "a key without a value", xml("<dict><key>name</key></dict>"))
make("long-integer.plist", "damaged", "letters in a long integer, which trap Foundation",
     plist.replace("7", "1234567890123456789x"))
make("bad-date.plist", "damaged", "the thirtieth of February",
     xml("<dict><key>name</key><date>2024-02-30T00:00:00Z</date></dict>"))
make("bad-data.plist", "damaged", "data that is not Base64",
     xml("<dict><key>name</key><data>?</data></dict>"))

# Binary property lists that lie.
make("self-reference.bplist", "damaged", "a dictionary that is its own value",
     binary([dictionary([1], [0]), text("name")]))
make("shared-bomb.bplist", "damaged", "each array holds the next twice: 2^40 values in 200 bytes",
     binary([dictionary([1], [2]), text("name")]
            + [bytes([0xA2, n, n]) for n in range(3, 43)] + [b"\x10\x01"]))
make("set-of-dictionaries.bplist", "damaged", "45 bytes that crash Foundation",
     binary([b"\xc1\x01", b"\xd0"]))
make("number-as-key.bplist", "damaged", "a number as a key", binary([dictionary([1], [1]), b"\x10\x01"]))
make("offset-beyond.bplist", "damaged", "an offset beyond the end",
     binary([dictionary([1], [2]), text("name"), text("Ann")], table=[8, 250, 16]))
make("count-beyond.bplist", "damaged", "2^63 objects", binary([b"\xd0"], count=1 << 63))
make("top-beyond.bplist", "damaged", "a root that is not there", binary([b"\xd0"], top=9))
make("table-beyond.bplist", "damaged", "a table of offsets beyond the end",
     binary([b"\xd0"], offset=(1 << 64) - 1))
make("length-beyond.bplist", "damaged", "a string of 2^63 - 1 characters",
     binary([dictionary([1], [2]), text("name"), b"\x5f\x13\x7f" + b"\xff" * 7]))
make("no-width.bplist", "damaged", "offsets of no bytes", binary([b"\xd0"], size=1)[:-26] + bytes(26))
make("lone-surrogate.bplist", "damaged", "UTF-16 with half a pair",
     binary([dictionary([1], [2]), text("name"), b"\x61\xd8\x00"]))

# Nested deeper than anybody means.
make("deep-129.json", "damaged", "129 levels", '{"name": ' + "[" * 128 + "]" * 128 + "}")
make("deep-10000.json", "damaged", "10,000 levels that are never closed", '{"a":' * 10000)
make("deep-129.plist", "damaged", "129 levels",
     xml("<dict><key>name</key>" + "<array>" * 128 + "</array>" * 128 + "</dict>"))
make("deep.bplist", "damaged", "200 levels",
     binary([dictionary([1], [2]), text("name")]
            + [bytes([0xA1, n]) for n in range(3, 202)] + [b"\x10\x01"], size=2))

with open(os.path.join(here, "README.md"), "w") as file:
    file.write("# Hostile files\n\nMade by `make.py`. `HostileFileTests` opens each one with a store.\n\n")
    file.write("| file | opens as | what it is |\n|---|---|---|\n")
    for name, outcome, what in rows:
        file.write("| `%s` | %s | %s |\n" % (name, outcome, what))
