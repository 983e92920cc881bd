//! What a service runs, as far as a command says it: the folder, the file, the port, the variables before it.
//!
//! In: a command line. Out: its parts. No shell is imitated: quotes are taken off, `&&` and `;` part commands, and that is all.

/// What a command says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Said {
    /// The folder that it changes to.
    pub folder: Option<String>,
    /// The port that it is told to listen on.
    pub port: Option<u16>,
    /// Variables that it is given.
    pub env: Vec<(String, String)>,
}

/// The parts of a command.
pub(super) fn said(command: &str) -> Said {
    let mut said = Said::default();
    for part in command.split(['&', ';', '|']) {
        let words: Vec<&str> = part.split_whitespace().map(bare).collect();
        let begin = words.iter().position(|word| !matches!(*word, "env" | "exec" | "export") && assigned(word).is_none());
        let (before, run) = words.split_at(begin.unwrap_or(words.len()));
        said.env.extend(before.iter().filter_map(|word| assigned(word)));
        if let ["cd", folder, ..] = run {
            said.folder = Some((*folder).to_owned());
        }
        for (at, word) in run.iter().enumerate() {
            let value = match word.split_once('=') {
                Some(("--port", value)) => Some(value),
                _ if matches!(*word, "--port" | "-p") => run.get(at + 1).copied(),
                _ => None,
            };
            said.port = said.port.or_else(|| value?.parse().ok());
        }
    }
    let from_env = said.env.iter().find(|(name, _)| name == "PORT").and_then(|(_, value)| value.parse().ok());
    said.port = said.port.or(from_env);
    said
}

/// The source file that a command runs: `node services/web.js`, `tsx src/main.ts`.
pub(super) fn entry_of(command: &str) -> Option<String> {
    const ENDINGS: [&str; 8] = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"];
    let mut words = command.split_whitespace().map(bare);
    let is_file =
        |word: &&str| !word.starts_with('-') && !word.contains(['=', '*']) && ENDINGS.iter().any(|ending| word.ends_with(ending));
    words.find(is_file).map(str::to_owned)
}

fn bare(word: &str) -> &str {
    word.trim_matches(['"', '\'', ',', '[', ']'])
}

fn assigned(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let is_name = super::dotenv::is_name(name) && !name.contains(['-', '.']);
    is_name.then(|| (name.to_owned(), bare(value).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_say_folders_ports_and_variables() {
        let all = said("cd services/orders && PORT=3001 API_URL='http://api' node index.js");
        assert_eq!(all.folder.as_deref(), Some("services/orders"));
        assert_eq!(all.port, Some(3001));
        assert_eq!(all.env.len(), 2);
        assert_eq!(said("vite --port 5173").port, Some(5173));
        assert_eq!(said("serve -p $PORT"), Said::default());
        assert_eq!(entry_of("[\"node\", \"src/web.js\"]").as_deref(), Some("src/web.js"));
        assert_eq!(entry_of("npm start"), None);
    }
}
