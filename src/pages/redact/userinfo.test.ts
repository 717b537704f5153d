import { testFindings } from '../../../test/support/marked-text.ts';
import { findUserinfo } from './userinfo.ts';

testFindings(findUserinfo, [
  'postgres://«app:s3cret»@db.example:5432/main',
  'https://«user:p%40ss»@example.com/ and amqp://«guest:guest»@localhost',
  'redis://«:p4ssword»@cache.example:6379/0',
  'mongodb+srv://«u:p@ss»@cluster.example/?retryWrites=true',
  '[repo](https://«x-access-token:abc»@git.example/o/r.git)',
  'https://«605a7baede844d278b89dc95ae0a9123»@errors.example/1',

  'ssh://git@github.com/o/r, ftp://anonymous@ftp.example/',
  'https://example.com/@jane, https://example.com/?q=a:b@c, https://example.com/#a:b@c',
  'https://user:@example.com/, https://@example.com/',
  'https://example.com: see a@b, http://, ://@',
]);
