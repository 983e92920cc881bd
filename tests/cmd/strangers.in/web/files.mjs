import { Client } from '@acme/sdk';
import { Client as Minio } from 'minio';
import axios from 'axios';
import _ from 'lodash';

export const files = new Minio({ endPoint: 'files.internal.example' });
export const list = () => _.uniq(new Client().list());
export const orders = () => axios.get('https://orders.internal.example/', { timeout: 3000 });
