//! A table of layers: does every layer's timeout leave room for what the layers beneath it are configured to do?
//!
//! In: [`Layer`]s, outermost first. Out: a [`LayersVerdict`]: what each layer needs so that every configured attempt beneath it may run. This is what the
//! configuration wants; what a caller sees is the chain's business ([`super::check`]).

use super::time::Bound;
use crate::limit::Millis;

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Its name.
    pub name: String,
    /// What ends one attempt.
    pub timeout: Bound,
    /// All attempts, the first included; 1 at least.
    pub attempts: u64,
    /// The wait between two attempts.
    pub backoff: Millis,
}

/// What is known about one layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerVerdict {
    /// The layer as it was given.
    pub layer: Layer,
    /// What one attempt costs when everything beneath runs; the innermost: its own timeout.
    pub one_attempt: Bound,
    /// What all attempts and waits cost.
    pub needs: Bound,
    /// Whether its timeout is at or above its caller's.
    pub inverted: bool,
    /// Whether it needs more than its caller's timeout (the outermost: its own).
    pub starved: bool,
    /// How many attempts can run to their end.
    pub complete: u64,
}

/// What is known about all layers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayersVerdict {
    /// One per layer, outermost first.
    pub layers: Vec<LayerVerdict>,
    /// What the outermost layer needs.
    pub needs: Bound,
    /// All attempts asked for: the product.
    pub attempts: u64,
}

impl LayersVerdict {
    /// Whether every layer has room for all its attempts.
    pub fn fits(&self) -> bool {
        self.layers.iter().all(|l| !l.starved && l.complete >= l.layer.attempts)
    }
}

/// What `attempts` of `one` with this wait between them take.
fn all(one: Bound, attempts: u64, backoff: Millis) -> Bound {
    one.times(attempts).plus(backoff.times(attempts.saturating_sub(1)).into())
}

/// How many of `attempts` end inside `room`.
fn complete(one: Bound, attempts: u64, backoff: Millis, room: Bound) -> u64 {
    let (Bound::Finite(one), Bound::Finite(room)) = (one, room) else {
        return if room.is_unbounded() { attempts } else { 0 };
    };
    let each = u128::from(one.as_micros()) + u128::from(backoff.as_micros());
    let whole = u128::from(room.as_micros()) + u128::from(backoff.as_micros());
    whole.checked_div(each).map_or(attempts, |fit| u64::try_from(fit).unwrap_or(u64::MAX).min(attempts))
}

/// Checks a table of layers, outermost first.
pub fn check_layers(layers: &[Layer]) -> LayersVerdict {
    let mut beneath = None;
    let mut verdicts: Vec<LayerVerdict> = Vec::with_capacity(layers.len());
    for (at, layer) in layers.iter().enumerate().rev() {
        let caller = at.checked_sub(1).map(|above| layers[above].timeout);
        let one = beneath.unwrap_or(layer.timeout);
        let needs = all(one, layer.attempts, layer.backoff);
        let room = match (caller, beneath) {
            (None, _) => layer.timeout,
            (Some(caller), None) => caller,
            (Some(caller), Some(_)) => caller.min(layer.timeout),
        };
        verdicts.push(LayerVerdict {
            one_attempt: one,
            needs,
            inverted: caller.is_some_and(|caller| layer.timeout >= caller && !layer.timeout.is_unbounded()),
            starved: needs > caller.unwrap_or(layer.timeout),
            complete: complete(one, layer.attempts, layer.backoff, room),
            layer: layer.clone(),
        });
        beneath = Some(needs);
    }
    verdicts.reverse();
    LayersVerdict {
        needs: beneath.unwrap_or(Bound::ZERO),
        attempts: layers.iter().fold(1, |product, layer| product.saturating_mul(layer.attempts)),
        layers: verdicts,
    }
}

/// The outermost timeout required for so many attempts per layer and so many layers, each the same, over a leaf that takes `leaf`.
pub fn required(leaf: Millis, backoff: Millis, attempts: u64, layers: u32) -> Bound {
    (0..layers).fold(leaf.into(), |one, _| all(one, attempts, backoff))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(u64, u64, u64)]) -> LayersVerdict {
        let layer = |&(timeout, attempts, backoff): &(u64, u64, u64)| Layer {
            name: String::new(),
            timeout: Bound::millis(timeout),
            attempts,
            backoff: Millis::from_millis(backoff),
        };
        check_layers(&rows.iter().map(layer).collect::<Vec<_>>())
    }

    #[test]
    fn the_worked_table() {
        let verdict = table(&[(30_000, 1, 0), (25_000, 3, 2_000), (10_000, 3, 1_000), (5_000, 2, 500)]);
        assert_eq!(verdict.needs, Bound::millis(104_500));
        assert_eq!(verdict.layers[1].one_attempt, Bound::millis(33_500));
        assert_eq!(verdict.layers[2].one_attempt, Bound::millis(10_500));
        assert_eq!(verdict.layers.iter().map(|l| l.complete).collect::<Vec<_>>(), [0, 0, 0, 1]);
        assert!(verdict.layers.iter().all(|l| l.starved && !l.inverted));
        assert_eq!(verdict.attempts, 18);
        assert!(!verdict.fits());

        let mended = table(&[(30_000, 1, 0), (25_000, 2, 2_000), (10_000, 2, 1_000), (2_000, 2, 500)]);
        assert_eq!((mended.needs, mended.attempts), (Bound::millis(22_000), 8));
        assert!(mended.fits() == mended.layers.iter().all(|l| !l.starved && l.complete == l.layer.attempts));
    }

    #[test]
    fn the_worked_table_of_required_timeouts() {
        let (leaf, wait) = (Millis::from_millis(2_000), Millis::from_millis(1_000));
        assert_eq!(required(leaf, wait, 4, 5), Bound::millis(3_071_000));
        assert_eq!(required(leaf, wait, 1, 5), Bound::millis(2_000));
        assert_eq!(required(leaf, wait, 2, 1), Bound::millis(5_000));
    }

    #[test]
    fn an_inverted_layer_is_named_and_no_timeout_is_no_zero() {
        let verdict = table(&[(10_000, 1, 0), (10_000, 1, 0)]);
        assert!(verdict.layers[1].inverted && !verdict.layers[1].starved);
        let layer = Layer { name: String::new(), timeout: Bound::Unbounded, attempts: 2, backoff: Millis::ZERO };
        let top = Layer { timeout: Bound::millis(9_000), attempts: 1, ..layer.clone() };
        let verdict = check_layers(&[top, layer]);
        assert_eq!((verdict.needs, verdict.layers[1].complete), (Bound::Unbounded, 0));
    }
}
