export const user = (id) => fetch(`https://users.example/${id}`);
