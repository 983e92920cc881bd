//! Procfiles: one process a line.
//!
//! In: the Procfiles of a tree. Out: one [`Deployed`] for each process type. Its code is the folder of the file, or the folder that its command
//! changes to; its environment is that of the command, over the `.env` file beside it, as foreman does it.

use super::{Reader, command, dotenv, text_of};
use crate::facts::deployment::{Deployed, Deployment, Filed, Note, Setting, Spot};

/// The reader of Procfiles.
pub struct Procfile;

impl Reader for Procfile {
    fn word(&self) -> &'static str {
        "procfile"
    }

    fn takes(&self, name: &str) -> bool {
        name == "Procfile" || name.strip_prefix("Procfile.").is_some_and(|rest| matches!(rest, "dev" | "local" | "development"))
    }

    fn read(&self, files: &[Filed]) -> Deployment {
        let mut all = Deployment::default();
        for file in files {
            let Some(text) = text_of(file, &mut all.notes) else { continue };
            let processes = processes(file, &text, &mut all.notes);
            for service in processes {
                if !all.services.iter().any(|known| known.name == service.name && known.project == service.project) {
                    all.services.push(service);
                }
            }
        }
        all
    }
}

fn processes(file: &Filed, text: &str, notes: &mut Vec<Note>) -> Vec<Deployed> {
    let folder = file.folder();
    let env = dotenv::beside(&folder);
    let mut services = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let spot = Spot::new(&file.shown, at as u32 + 1);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let process = line.split_once(':').map(|(name, run)| (name.trim(), run.trim()));
        let Some((name, run)) = process.filter(|(name, run)| super::dotenv::is_name(name) && !run.is_empty()) else {
            notes.push(Note { at: spot, text: "is no process; expected `name: command`".to_owned() });
            continue;
        };
        if name == "release" {
            continue;
        }
        let said = command::said(run);
        let mut service = Deployed::new(&service_name(name, &folder), "procfile", spot.clone(), &folder.path);
        service.hosts.push(service.name.clone());
        service.code = Some(said.folder.as_deref().map_or_else(|| folder.clone(), |inner| folder.join(inner)));
        service.entry = command::entry_of(run);
        service.published.extend(said.port);
        service.env.extend(env.iter().cloned());
        service.env.extend(said.env.into_iter().map(|(name, value)| (name, Setting { value: Ok(value), at: spot.clone() })));
        services.push(service);
    }
    services
}

/// `web` of a folder below the root is the folder's service; other processes carry both names.
fn service_name(process: &str, folder: &Filed) -> String {
    match folder.shown.as_str() {
        "." => process.to_owned(),
        _ if process == "web" => folder.name(),
        _ => format!("{}-{process}", folder.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_have_folders_ports_and_variables() {
        let folder = tempfile::tempdir().unwrap();
        let base = Filed { path: folder.path().to_path_buf(), shown: ".".to_owned() };
        let text = "# shop\nweb: cd apps/web && PORT=3000 node server.js\nworker: node worker.js\nrelease: migrate\nbad line\n";
        std::fs::write(base.join("Procfile").path, text).unwrap();
        std::fs::write(base.join(".env").path, "API_URL=http://localhost:3000\n").unwrap();
        std::fs::create_dir(base.join("orders").path).unwrap();
        std::fs::write(base.join("orders/Procfile").path, "web: node x.js\njobs: node y.js\n").unwrap();
        assert!(Procfile.takes("Procfile") && Procfile.takes("Procfile.dev") && !Procfile.takes("Procfile.lock"));
        let read = Procfile.read(&[base.join("Procfile"), base.join("orders/Procfile")]);
        let names: Vec<&str> = read.services.iter().map(|service| service.name.as_str()).collect();
        assert_eq!(names, ["web", "worker", "orders", "orders-jobs"]);
        let web = &read.services[0];
        assert_eq!(web.code.as_ref().map(|code| code.shown.as_str()), Some("apps/web"));
        assert_eq!(web.published, [3000]);
        assert_eq!(web.env["API_URL"].value.as_deref(), Ok("http://localhost:3000"));
        assert_eq!(web.env["API_URL"].at.to_string(), ".env:1");
        assert_eq!(read.services[1].env.len(), 1);
        assert_eq!(read.notes.len(), 1);
        assert_eq!(read.notes[0].at.to_string(), "Procfile:5");
    }
}
