//! The release promise: stored output has the same bytes in every version, for any number of threads.
//!
//! A digest here may never change. What may: the choices of the compressors (Daikatana's and deflate), so
//! nothing here is compressed by us.

use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

use super::Dir;
use crate::skips::is_installed;

/// A file, its SHA-256, and the arguments of `tests/conformance/naive_writer.py` that give the same bytes.
type Output = (&'static str, &'static str, &'static str);

/// A session: each command line, and the files that it makes.
const SESSION: &[(&str, &[Output])] = &[
    (
        "convert game/data/pak1.pak -o data.pak",
        &[(
            "data.pak",
            "e7a829fccc97919f92566906926e44d493b6ee010a40a1a447359ba602499121",
            "daikatana game/data/pak1.pak quake",
        )],
    ),
    (
        "convert game/data/pak1.pak -o data.sin",
        &[(
            "data.sin",
            "3b9a492e0e7d2e87dc34f794beeb366cb6dadd19a4a91422c6507678816df086",
            "daikatana game/data/pak1.pak sin",
        )],
    ),
    (
        "convert game/data/pak1.pak -o data.hrot --to hrot",
        &[(
            "data.hrot",
            "0ff1822220f5261dbf96701d6f99331f7fd3cce38065c1c3c78d6281950b7ed4",
            "daikatana game/data/pak1.pak hrot",
        )],
    ),
    (
        "convert game/data/pak1.pak -o data.pk3 --level 0",
        &[(
            "data.pk3",
            "822835a44d9cf4b1cb40edda5f615cff45288e5afb64a26ee754380e613b6b1d",
            "daikatana game/data/pak1.pak pk3",
        )],
    ),
    (
        "convert game/data/pak1.pak -o same.pak --to daikatana",
        &[("same.pak", "841b3691e3a24a1a2216e3d324b2387c3192bb4dc4db105436812be8f5c77b14", "")],
    ),
    (
        "convert game/id1/pak0.pak -o id1.pak",
        &[(
            "id1.pak",
            "823beef4d9a8a4f7bb8c1c00b3d65dc2d608381b9432525e66a1d1565682d0ce",
            "quake game/id1/pak0.pak quake",
        )],
    ),
    (
        "convert game/id1/pak0.pak -o id1.hrot --to hrot",
        &[(
            "id1.hrot",
            "b7dd845bdf5ba25cbf0dcc4429dfa8d16ac184571cac7ece3f501ec5caa64c09",
            "quake game/id1/pak0.pak hrot",
        )],
    ),
    (
        "convert game/id1/pak0.pak -o id1.pk3 --level 0",
        &[(
            "id1.pk3",
            "b511642885fb6513998cdfcbeef3f4c3200ff9c2258cad39b4a1c874c4b2597b",
            "quake game/id1/pak0.pak pk3",
        )],
    ),
    (
        "convert game/data/pak0.pak -o part0.pak --max-entries 12",
        &[
            (
                "part0.pak",
                "3e91b0422b657c3ed09578a140ac4229a3a54bfa228fd69eaddf8817a72ae9a0",
                "daikatana game/data/pak0.pak quake 0 12",
            ),
            (
                "part1.pak",
                "f53201100097d3c2051b2d944e5a236dc91c8f02f63766fdf3d1fdfeb093a594",
                "daikatana game/data/pak0.pak quake 12 24",
            ),
            (
                "part2.pak",
                "de7400a71c2a7b1453539469e60968225283536c21001f8e54e4665589e4fe06",
                "daikatana game/data/pak0.pak quake 24 28",
            ),
        ],
    ),
    (
        "convert game/data/pak0.pak -o zip0.pk3 --level 0 --max-size 120000",
        &[
            ("zip0.pk3", "1e2324c33f3d94b07ee3d348b13f20a11aefc6c75c9139d9bc5ec4cbf4e30fa1", ""),
            ("zip1.pk3", "f9d216611f4b23fc576a45d2593cb0a1f6da2c45d6e15fd1e9c6072b007a2082", ""),
        ],
    ),
    (
        "convert paks/sound/duplicates.pak -o duplicates.pak",
        &[(
            "duplicates.pak",
            "5b6126a9906e4b4e6e4ca4081465179b100e452e0bf7e4d4d477a3da862cbfa4",
            "quake paks/sound/duplicates.pak quake",
        )],
    ),
    (
        "convert paks/sound/duplicates.pak -o duplicates.pk3 --level 0",
        &[(
            "duplicates.pk3",
            "5474ac5ff069ddb219606763a84e983111049f5ec3689ce4ffe57c806c0884a4",
            "quake paks/sound/duplicates.pak pk3",
        )],
    ),
    (
        "convert paks/sound/empty-file-anywhere.pak -o empty.pak",
        &[(
            "empty.pak",
            "9dc55aac85b410f14455976b64fdf9db793302d3e7cfae5d2dc682970f20b962",
            "quake paks/sound/empty-file-anywhere.pak quake",
        )],
    ),
    (
        "convert paks/sound/name-not-utf8.pak -o name.sin",
        &[(
            "name.sin",
            "1ac8227b83a4cc8123b6060102bd3e6c930e60d5c6519756045b0c2c7be4b150",
            "quake paks/sound/name-not-utf8.pak sin",
        )],
    ),
    (
        "convert paks/sound/shared-extent.pak -o shared.pak",
        &[("shared.pak", "16c36680770e57f27fb5bcb1b30f81ee56ff808df43c60f9a846462c44cade2c", "")],
    ),
    (
        "convert paks/sound/shared-extent.pak -o shared.pk3 --level 0",
        &[(
            "shared.pk3",
            "8054d66586be41bcb13bcfa620ab24f65a58bba0d1243803faeadec917f53d4d",
            "quake paks/sound/shared-extent.pak pk3",
        )],
    ),
    (
        "convert paks/sound/dkpak-game.pak -o dkpak.pak",
        &[("dkpak.pak", "20a3548592fe0cf2913e1269e13b35cbcd89b91e3ff5379b06080aa51ab0c26b", "")],
    ),
    (
        "convert paks/sound/dkpak-game.pak -o dkpak.pk3 --level 0",
        &[(
            "dkpak.pk3",
            "13d09202b51bd459a01d3e298f60fdb4281f3483b53ad73aaaa3c861d1a9e2ff",
            "daikatana paks/sound/dkpak-game.pak pk3",
        )],
    ),
    (
        "convert paks/sound/dkpak-mod.pak -o dkpak-mod.sin",
        &[(
            "dkpak-mod.sin",
            "fb5ee9776315f4415f81bf4dfebdb3ed4831af7d17892d03a7ab2bda4dd37bc8",
            "daikatana paks/sound/dkpak-mod.pak sin",
        )],
    ),
    (
        "convert paks/sound/dkpak-limits.pak -o dkpak-limits.pak",
        &[(
            "dkpak-limits.pak",
            "ea9e135386641fea4d2c7d4e907e93792f55e710cc54e30e48a9e5a188f06068",
            "daikatana paks/sound/dkpak-limits.pak quake",
        )],
    ),
    (
        "convert wads/sound/plain-wad2.wad -o plain.wad --to wad2",
        &[("plain.wad", "30eca8c2d7085e7975b791a05e7921d821698944c85fc2c6976a54572f65249b", "")],
    ),
    (
        "convert wads/sound/plain-wad3.wad -o three.wad --to wad3",
        &[("three.wad", "4c889854dff9425a83ef6329a27a149be6291d6b45b13f34bac40f1a74bb97ae", "")],
    ),
    (
        "convert wads/sound/duplicates.wad -o wad.pak",
        &[("wad.pak", "e83c24aa7066bcb58d4044b02add3dfd8a36c311429537b71c949494d374d60c", "")],
    ),
    (
        "convert zips/sound/plain.pk3 -o plain.pak",
        &[(
            "plain.pak",
            "1cf35428ad637511ab289ca141c85f0537927c5a284aa0ef1f4a567232dafc87",
            "pk3 zips/sound/plain.pk3 quake",
        )],
    ),
    (
        "convert zips/sound/plain.pk3 -o plain.pk3 --level 0",
        &[(
            "plain.pk3",
            "c77bbd7b412edffe9c8006c03fd33e7148e2509804e944d907d94cf45637c81e",
            "pk3 zips/sound/plain.pk3 pk3",
        )],
    ),
    (
        "convert --merge game/id1 -o merged/pak0.pak --engine quakespasm",
        &[(
            "merged/pak0.pak",
            "e6ec576b7a3730b970039320da2363fda638780cf8dbf107676410237f04ba1e",
            "",
        )],
    ),
    (
        "convert game/data -C out --engine yquake2",
        &[
            (
                "out/pak0.pak",
                "3e357afd415ddae86fc4f548c92e3be4ae47464c8416729700f41da5cbd55da9",
                "daikatana game/data/pak0.pak quake",
            ),
            (
                "out/pak1.pak",
                "e7a829fccc97919f92566906926e44d493b6ee010a40a1a447359ba602499121",
                "daikatana game/data/pak1.pak quake",
            ),
        ],
    ),
    ("extract game/id1/pak1.pak -C tree", &[]),
    (
        "create -o tree.pak tree",
        &[("tree.pak", "ab45e171794ccbee848f38ecf3fa82655a666fb67427c389fabd7c86c3075892", "")],
    ),
    (
        "add id1.pak tree/end2.bin --root tree",
        &[("id1.pak", "4806e36c6d1b4a086a32d4582d91c9c990d09d4c14f3cd1abc20343781f7355f", "")],
    ),
    (
        "remove id1.pak quake.rc",
        &[("id1.pak", "ba6e2c320f454e110bb9912712d8dc229bb18e9a217c3fdf8d66795541b6e76a", "")],
    ),
];

#[test]
fn stored_output_has_the_same_bytes_in_every_version() {
    let with_naive = is_installed("python3");
    let mut wrong = Vec::new();
    for jobs in ["1", "5"] {
        let dir = Dir::new();
        for (command, outputs) in SESSION {
            let words = command.split(' ').map(|word| match word.split('/').next() {
                Some("game" | "paks" | "wads" | "zips") => crate::corpus::path(word).into(),
                _ => std::ffi::OsString::from(word),
            });
            let ran = dir.daisho().args(words).args(["-q", "-j", jobs]).run();
            assert!(ran.is(0), "{command}: {ran}");
            for (output, expected, naive) in *outputs {
                let digest = Sha256::digest(dir.read(output));
                let found: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
                if found != *expected {
                    wrong.push(format!("{command}: {output}: {found}"));
                }
                if with_naive && !naive.is_empty() && jobs == "1" {
                    assert_eq!(naive_digest(naive), found, "{command}: {output}");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "other bytes than former versions wrote:\n{}", wrong.join("\n"));
}

/// The digest of what a naive writer makes of the same input.
fn naive_digest(args: &str) -> String {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ran = Command::new("python3")
        .arg(top.join("tests/conformance/naive_writer.py"))
        .args(args.split(' '))
        .current_dir(top.join("corpus"))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{args}: {ran:?}");
    String::from_utf8(ran.stdout).unwrap().trim_end().to_owned()
}
