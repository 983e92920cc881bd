// untimed: allow(uncovered-call) nothing here sends
export const two = 1 + 1;
