export const old = () => fetch('http://inner/old');
