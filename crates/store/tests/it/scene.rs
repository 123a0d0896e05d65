//! A user's home and a repository, to find places in.

use std::fs;
use std::path::PathBuf;

use memdir_store::{Environment, Places, slug};

/// A home `home/ada` and a repository `work/app`, with the folder `work/app/src` to start in.
pub(crate) struct Scene {
    _temporary: tempfile::TempDir,
    pub(crate) root: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let temporary = memdir_testkit::temporary_folder().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("home/ada")).unwrap();
        fs::create_dir_all(root.join("work/app/.git")).unwrap();
        fs::create_dir_all(root.join("work/app/src")).unwrap();
        let home = root.join("home/ada").display().to_string();
        Self {
            _temporary: temporary,
            root,
            variables: vec![("HOME", home)],
        }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Writes a file; `[T]` in the text stands for the scene's folder.
    pub(crate) fn write(&self, path: &str, text: &str) -> &Self {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        let text = text.replace("[T]", self.root.to_str().unwrap());
        fs::write(self.path(path), text).unwrap();
        self
    }

    /// Sets a variable; `[T]` in the value stands for the scene's folder.
    pub(crate) fn set(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.variables.retain(|(other, _)| *other != name);
        let value = value.replace("[T]", self.root.to_str().unwrap());
        self.variables.push((name, value));
        self
    }

    pub(crate) fn unset(&mut self, name: &str) -> &mut Self {
        self.variables.retain(|(other, _)| *other != name);
        self
    }

    pub(crate) fn environment(&self) -> Environment {
        self.environment_in("work/app/src")
    }

    /// The same of a program that was started elsewhere.
    pub(crate) fn environment_in(&self, folder: &str) -> Environment {
        Environment::new(self.path(folder), self.variables.clone())
            .with_managed_settings(self.path("managed.json"))
            .with_accounts(self.path("passwd"))
    }

    pub(crate) fn places(&self) -> Places {
        Places::find(&self.environment()).unwrap()
    }

    /// What stands in the way of finding anything.
    pub(crate) fn moved(&self) -> String {
        let error = Places::find(&self.environment()).unwrap_err();
        self.plain(&error.to_string())
    }

    /// The scene's folder and its slug taken out of a text.
    pub(crate) fn plain(&self, text: &str) -> String {
        text.replace(self.root.to_str().unwrap(), "[T]")
            .replace(&slug(&self.root), "[t]")
    }

    pub(crate) fn show(&self, places: &Places) -> String {
        let mut lines = vec![
            format!(
                "home {} ({})",
                places.home.path.display(),
                places.home.origin
            ),
            format!(
                "memory {} ({})",
                places.memory_dir.path.display(),
                places.memory_dir.origin
            ),
            format!(
                "{} ({})",
                if places.memory.enabled { "on" } else { "off" },
                places.memory.reason
            ),
        ];
        let refused = places.home.refused.iter().chain(&places.memory_dir.refused);
        lines.extend(refused.map(|refusal| format!("refused {refusal}")));
        lines.extend(
            places
                .ignored_variables
                .iter()
                .map(|ignored| format!("ignored {} of {}", ignored.name, ignored.file)),
        );
        lines.extend(
            places
                .obeyed_variables
                .iter()
                .map(|obeyed| format!("obeyed {} of {}", obeyed.name, obeyed.file)),
        );
        lines.extend(
            places
                .settings
                .refused()
                .iter()
                .map(|refused| format!("refused {refused}")),
        );
        lines.extend(
            places
                .problems()
                .iter()
                .map(|problem| format!("problem {problem}")),
        );
        self.plain(&lines.join("\n"))
    }

    pub(crate) fn shown(&self) -> String {
        self.show(&self.places())
    }

    /// The same for whoever asks the user about files of the repository.
    pub(crate) fn shown_before_trust(&self) -> String {
        self.show(&Places::find(&self.environment().before_trust()).unwrap())
    }
}
