import pRetry from 'p-retry';

export const user = (id) => pRetry(() => fetch(`https://users.example/${id}`), { retries: 3 });
