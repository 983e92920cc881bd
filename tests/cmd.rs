//! The command line as its pages show it.

#[test]
fn pages() {
    trycmd::TestCases::new()
        .case("README.md")
        .case("docs/*.md")
        .case("docs/rules/*.md")
        .case("tests/cmd/*.md")
        .case("tests/cmd/*.toml");
}
