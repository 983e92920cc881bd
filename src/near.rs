//! Which known name a misspelled one is nearest to.
//!
//! In: a name that is not known, and those that are. Out: the known name it probably was meant to be, if any is near enough.

/// The known name that differs least; `None` where all differ too much to be meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let distance = |other: &str| strsim::osa_distance(&name.replace('-', "_"), &other.to_lowercase().replace('-', "_"));
    let most = (name.chars().count() / 3).max(1);
    let near = known.into_iter().map(|other| (distance(other), other)).filter(|(distance, _)| *distance <= most);
    near.min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

/// What is said about a name that is not known: the nearest one, and all that are.
pub fn expected(name: &str, known: &[&str]) -> String {
    let all = known.join(", ");
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("expected `{near}`, the nearest of {all}"),
        None => format!("expected one of {all}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let known = ["include", "exclude", "min_coverage", "kinds"];
        for (name, near) in [("exlude", "exclude"), ("Kind", "kinds"), ("min-coverage", "min_coverage"), ("inculde", "include")] {
            assert_eq!(nearest(name, known), Some(near), "{name}");
        }
        assert_eq!(nearest("colour", known), None);
        assert_eq!(expected("colour", &["a", "b"]), "expected one of a, b");
    }
}
