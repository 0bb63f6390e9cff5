#!/usr/bin/env python3
"""Prints what a program consists of: its licences as a Debian copyright file, or its parts as an SPDX document.

contents.py copyright|sbom BUILD PROGRAM VERSION

BUILD is SwiftPM's build folder. Of the packages that Package.resolved names those are listed which have an object in the program's link.
The same build gives the same bytes: the only time in them is SOURCE_DATE_EPOCH.
"""
import datetime
import json
import os
import pathlib
import re
import sys

kind, build, program, version = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
root = pathlib.Path(__file__).resolve().parents[2]
epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))

# Parts of the toolchain or of a package that have their own licence.
SWIFT = "Apache-2.0 with Swift runtime library exception"
BESIDES = [
    ("swift", "Swift's runtime and standard library, Foundation, libdispatch", SWIFT, "Apple Inc. and the Swift project authors",
     "https://github.com/swiftlang/swift", None),
    ("icu", "ICU with its data, within Foundation", "Unicode-3.0", "2016-2024 Unicode, Inc.",
     "https://github.com/swiftlang/swift-foundation-icu", None),
    ("llhttp", "llhttp, within swift-nio", "Expat", "Fedor Indutny, 2018", "https://github.com/nodejs/llhttp", "swift-nio"),
    ("toml++", "toml++, within TOMLKit", "Expat", "Mark Gillard <mark.gillard@outlook.com.au>",
     "https://github.com/marzer/tomlplusplus", "tomlkit"),
]


def modules():
    """Names of the modules that have an object in the program."""
    lines = (build / "release" / f"{program}.product" / "Objects.LinkFileList").read_text().split("\n")
    found = {m.group(1) for line in lines if (m := re.search(r"/([^/]+)\.build/", line))}
    return found


def parts():
    """The linked packages as (identity, version, revision, address, folder), in order."""
    linked = modules()
    resolved = json.loads((root / "Package.resolved").read_text())["pins"]
    folders = {p.name.lower(): p for p in (build / "checkouts").iterdir()}
    listed = []
    for pin in sorted(resolved, key=lambda pin: pin["identity"]):
        name = pin["location"].rstrip("/").split("/")[-1].removesuffix(".git").lower()
        folder = folders[name]
        places = [folder, folder / "Sources"]
        own = {d.name for place in places if place.is_dir() for d in place.iterdir() if d.is_dir()}
        if own & linked:
            state = pin["state"]
            listed.append((pin["identity"], state.get("version", ""), state["revision"], pin["location"], folder))
    return listed


def licence(folder):
    """Returns a licence's short name, the copyright holder and the notice."""
    text = next(folder.glob("LICENSE*")).read_text()
    if "Apache License" in text:
        name = SWIFT if "Runtime Library Exception" in text else "Apache-2.0"
    elif "Permission is hereby granted, free of charge" in text:
        name = "Expat"
    else:
        sys.exit(f"unknown licence of {folder.name}")
    whose = re.search(r"Copyright \([cC]\) (.*)", text)
    notice = next(iter(folder.glob("NOTICE*")), None)
    if notice and (found := re.search(r"Copyright .*", notice.read_text())):
        return name, re.sub(r"^Copyright (\([cC]\) )?", "", found.group(0)).strip(), notice.read_text()
    return name, whose.group(1).strip() if whose else f"The {folder.name} project authors", notice and notice.read_text()


def besides(listed):
    names = {part[0] for part in listed}
    return [part for part in BESIDES if part[5] is None or part[5] in names]


def indented(text):
    return "\n".join(f" {line.rstrip()}" if line.strip() else " ." for line in text.strip().split("\n"))


def copyright_file():
    listed = parts()
    out = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: subtop\n"
        "Comment: The programs are linked with the works below, which are listed by name instead of file.\n"
    ]
    own = (root / "LICENSE").read_text()
    out.append(f"Files: *\nCopyright: {re.search(r'Copyright .c. (.*)', own).group(1)}\nLicense: Expat\n")
    used = {"Expat"}
    for identity, number, _, address, folder in listed:
        name, whose, notice = licence(folder)
        used.add(name)
        comment = f"Comment: {identity} {number}, {address}\n" + (indented(notice) + "\n" if notice else "")
        out.append(f"Files: {identity}/*\nCopyright: {whose}\nLicense: {name}\n{comment}")
    for identity, title, name, whose, address, _ in besides(listed):
        used.add(name)
        out.append(f"Files: {identity}/*\nCopyright: {whose}\nLicense: {name}\nComment: {title}, {address}\n")
    texts = {
        "Expat": own.split("\n\n", 2)[2],
        "Apache-2.0": "On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.",
        SWIFT: "On Debian systems the text of the Apache License 2.0 is in\n/usr/share/common-licenses/Apache-2.0. "
        "The exception:\n\n" + exception(),
        "Unicode-3.0": (root / "data/debian/unicode-license.txt").read_text(),
    }
    out += [f"License: {name}\n{indented(texts[name])}\n" for name in sorted(used)]
    return "\n".join(out)


def exception():
    """Returns the text of the exception from one of Swift's packages."""
    text = next((build / "checkouts/swift-argument-parser").glob("LICENSE*")).read_text()
    lines = text.split("Runtime Library Exception to the Apache 2.0 License: ##")[1].strip().split("\n")
    return "\n".join(line.strip() for line in lines)


def sbom():
    listed = parts()
    spdx = {SWIFT: "Apache-2.0 WITH Swift-exception", "Expat": "MIT"}
    packages = [package("subtop", "subtop", version, "NOASSERTION", "MIT")]
    for identity, number, revision, address, folder in listed:
        name, _, _ = licence(folder)
        entry = package(identity, identity, number, f"git+{address}@{revision}", spdx.get(name, name))
        entry["externalRefs"] = [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": "pkg:swift/" + re.sub(r"^https://|\.git$", "", address) + f"@{number}"}]
        packages.append(entry)
    for identity, title, name, _, address, _ in besides(listed):
        packages.append(package(identity, title, "NOASSERTION", f"git+{address}", spdx.get(name, name)))
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{program} {version}", "documentNamespace": f"https://spdx.invalid/{program}-{version}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Organization: The subtop authors"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-subtop"}
        ] + [
            {"spdxElementId": "SPDXRef-subtop", "relationshipType": "STATIC_LINK", "relatedSpdxElement": entry["SPDXID"]}
            for entry in packages[1:]
        ]}, indent=1, sort_keys=True) + "\n"


def package(identity, name, number, address, declared):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", identity), "name": name, "versionInfo": number,
        "downloadLocation": address, "licenseDeclared": declared, "licenseConcluded": "NOASSERTION",
        "copyrightText": "NOASSERTION", "filesAnalyzed": False}


sys.stdout.write(copyright_file() if kind == "copyright" else sbom())
