import { testFindings } from '../../../test/support/marked-text.ts';
import { findAuthorization, findCredentials } from './credentials.ts';

testFindings(findCredentials, [
  'password=«hunter2», PASSWORD: «Summer2024!»',
  'DB_PASSWORD="«xK9#mP2q»"',
  'mysql --password=«12345678»',
  "$config['password'] = '«s3cret-word»';",
  '"api_key": "«9f86d081884c7d659a2feaa0c55ad015»"',
  'aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz»',
  "SECRET_KEY => '«v5g8k2m9x4c7b1n6z3q0»'",
  'client_secret: «8f14e45f-ceea-467f-a5e6-e7cc1a2b3c4d»',
  'https://api.example/v1?access_token=«a8f5f167f44f4964e6c998dee827110c»&page=2',
  '**Token:** `«a8f5f167f44f4964e6c998dee827110c»`',
  'Passwort: «Geheim123», mot de passe : «Secret99», contraseña: «Clave2024», пароль: «Qwerty12», 密码：«abc12345»',

  // Near misses.
  'Password: required, Password: must have 8 characters, password: ********, password=xxxxxxxx',
  'password = getPassword(user1), password: config.password1, password=$DB_PASSWORD1, password=%DB_PASSWORD1%',
  'api_key=YOUR_API_KEY, token: <your-token-1234567890>, api_key: your-api-key-goes-here-123',
  'secret: /run/secrets/database_password_1, token_url=https://example.com/oauth2/token1234',
  'apiKey: "pk_live_51NbOaVK5pW2TMT2yEgjGh"',
  'The secret: practice. Tokens: 128000. Passwords: 14 million. tokenizer = abc123def456ghi789',
  'token: aaaaaaaaaaaaaaaa1, token=abc123abc123abc123',
]);

testFindings(findAuthorization, [
  'Authorization: Bearer «a8f5f167f44f4964e6c998dee827110c»',
  'curl -H "Authorization: Basic «dXNlcjpwYXNzd29yZA==»"',
  'authorization: bearer «mF_9.B5f-4.1JqM0xYz8»',

  'Authorization: Bearer YOUR_API_KEY, Bearer authentication, Bearer token1, the bearer of good tidings1234567',
  'Basic authentication, Basic dGhpcyBpcyBub3Q=',
]);
