//! The command line of `untimed`.
fn main() -> std::process::ExitCode {
    let mut args = std::env::args().skip(1).filter(|a| a != "audit");
    let mut settings = untimed::settings::Settings { roots: vec![], ..Default::default() };
    let mut json = false;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--format" => json = args.next().as_deref() == Some("json"),
            _ => settings.roots.push(arg.into()),
        }
    }
    let catalog = match untimed::scan::catalog(&settings) {
        Ok(c) => c,
        Err(e) => {
            eprintln!("{e}");
            return 2.into();
        }
    };
    match untimed::scan::audit(&settings, &catalog) {
        Ok(outcome) => {
            if json {
                print!("{}", untimed::report::json::audit(&outcome));
            } else {
                print!("{}", untimed::report::text::sites(&outcome));
            }
            0.into()
        }
        Err(e) => {
            eprintln!("{e}");
            2.into()
        }
    }
}
