//! The command line as its pages show it.

#[test]
fn pages() {
    trycmd::TestCases::new().case("tests/cmd/*.md").case("docs/budget.md");
}
