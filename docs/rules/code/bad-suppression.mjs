// untimed: allow(uncovered-call)
export const user = (id) => fetch(`https://users.example/${id}`);
