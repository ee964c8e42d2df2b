#!/bin/sh
# Makes the disk image for macOS from the bundle. Not tested: written without a Mac at hand.
#
#   python3 packaging/build_wheel.py && python3 packaging/freeze.py
#   SIGN_AS="Developer ID Application: ..." NOTARY_PROFILE=notesearch packaging/macos/build_dmg.sh
#
# SIGN_AS is an identity of the keychain; without it the bundle is signed for this Mac only ("-"),
# and others have to allow it in their settings. NOTARY_PROFILE is what
#   xcrun notarytool store-credentials notesearch --apple-id ... --team-id ...
# has stored; without it the image is not notarised.
set -eu
cd "$(dirname "$0")/../.."

bundle=build/release/frozen/notesearch.app
version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' notesearch/__init__.py)
image=dist/notesearch-$version-macos-$(uname -m).dmg
identity=${SIGN_AS:--}
hardened=
[ "$identity" = - ] || hardened="--options runtime --timestamp"

# From the inside out: libraries first, whatever they are called, then Qt's and Python's frameworks,
# then the bundle that seals all of them.
export identity hardened
find "$bundle/Contents" -type f ! -path "$bundle/Contents/MacOS/*" -exec sh -c '
    for file; do
        case $(file -b "$file") in
            Mach-O*) codesign --force $hardened --sign "$identity" "$file" || exit 1 ;;
        esac
    done' sh {} +
find "$bundle/Contents" -depth -type d -name '*.framework' -exec \
    codesign --force $hardened --sign "$identity" {} +
codesign --force $hardened --entitlements packaging/macos/entitlements.plist \
    --sign "$identity" "$bundle"
codesign --verify --deep --strict "$bundle"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp -R "$bundle" "$stage/"
ln -s /Applications "$stage/Applications"
mkdir -p dist
hdiutil create -volname notesearch -srcfolder "$stage" -ov -format UDZO "$image"

if [ -n "${NOTARY_PROFILE:-}" ]; then
    codesign --force --timestamp --sign "$identity" "$image"
    xcrun notarytool submit "$image" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
    spctl --assess --type open --context context:primary-signature --verbose "$image"
fi
echo "$image"
