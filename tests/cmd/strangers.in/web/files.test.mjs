import nock from 'nano';
