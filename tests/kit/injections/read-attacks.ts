/** Attacks that try to read what the agent must not see: files outside the docs folder, hidden files, git data. */
import { type Attack, call, readsOf, type Targets } from './attack.ts'

export function readAttacks({ outside }: Targets): Attack[] {
  const refused = (name: string, ...paths: string[]): Attack => ({
    name,
    steps: [readsOf(...paths)],
    isRefused: true,
  })
  return [
    refused('parents', '../../.env', '../.env', '../internal/secrets.env', '../../../../../../etc/passwd'),
    refused(
      'absolute paths',
      '/etc/passwd',
      '//etc/passwd',
      '/proc/self/environ',
      '/proc/1/environ',
      outside,
    ),
    refused('addresses of files', 'file:///etc/passwd', 'file://localhost/proc/self/environ', 'data:,x'),
    refused(
      'encoded parents',
      '%2e%2e/%2e%2e/.env',
      '..%2f..%2f.env',
      '..%252f.env',
      '%2fetc%2fpasswd',
      '..%c0%af.env',
    ),
    refused('backslashes', '..\\..\\.env', '..\\internal\\secrets.env', 'C:\\Windows\\win.ini', 'C:/x'),
    refused('parents behind a folder', 'guides/../../internal/secrets.env', './../.env', 'guides/../../../x'),
    refused('look-alike dots', '．．/．．/.env', '‥/.env', '․․/.env', '。。/.env', '\u2024env'),
    refused('insides of git', '.git/config', '../.git/config', '.git/HEAD', '.GIT/config', 'git~1/config'),
    refused('hidden files', '.env', './.env', 'plants/.env', '.octavo/agent.md', '.npmrc', '.ENV', '．env'),
    refused('homes', '~/.ssh/id_rsa', '$HOME/.env', '~root/.bashrc', '%USERPROFILE%/x', '${OCTAVO_SECRET}'),
    refused(
      'ends in the middle',
      '.env\0.mdx',
      '../.env\0',
      'index.mdx\0/../../.env',
      '.env%00.mdx',
      '.env\n',
    ),
    refused(
      'revisions',
      'main:internal/secrets.env',
      'HEAD:internal/secrets.env',
      ':/internal/secrets.env',
      ':(top)internal/secrets.env',
      'other:../AGENTS.md',
    ),
    refused('options', '--help', '--git-dir=/etc', '-p', '--upload-pack=id', '@{u}'),
    refused(
      'links of the repository',
      'link-file.md',
      'link-folder/secrets.env',
      'link-folder/page.mdx',
      'link-absolute.md',
      'link-git/config',
      'link-parent/internal/secrets.env',
      'link-chain.md',
    ),
    refused('names of objects', '__proto__', 'constructor', 'toString', 'hasOwnProperty'),
    refused('long paths', `${'../'.repeat(130)}etc/passwd`, `${'a/'.repeat(300)}x`, 'x'.repeat(100_000)),
    {
      name: 'folders outside',
      steps: [
        ['..', '/..', '../..', '.git', 'link-folder', '../internal', outside, 'link-parent'].map((folder) =>
          call('list_files', { folder }),
        ),
      ],
      isRefused: true,
    },
    {
      name: 'globs outside',
      steps: [
        ['../**', '/**', '{..,.}/**', '**/../../**', '**/.env', '.*', '**/.git/**', '[.][.]/**'].map((glob) =>
          call('list_files', { glob }),
        ),
        ['../**', '**/.env', '/etc/*'].map((glob) => call('search', { query: 'SECRET', glob })),
      ],
    },
    {
      name: 'searches for secrets',
      steps: [
        [
          call('search', { query: 'sk-mark' }),
          call('search', { query: 'sk-mark.*', mode: 'regex' }),
          call('search', { query: 'password secret token key', mode: 'pages' }),
          call('search', { query: 'root:', folder: '/etc' }),
          call('search', { query: '.', mode: 'regex', folder: '..' }),
          call('search', { query: '(a+)+$', mode: 'regex' }),
        ],
      ],
    },
    {
      name: 'previews outside',
      steps: [
        ['../internal/page.mdx', '/etc/passwd', 'link-folder/page.mdx', 'file:///x.mdx', '.env'].map((path) =>
          call('preview', { path }),
        ),
      ],
      isRefused: true,
    },
    {
      name: 'moves from outside',
      steps: [
        [
          call('move_file', { from: '../.env', to: 'leak.md' }),
          call('move_file', { from: '.env', to: 'leak.txt' }),
          call('move_file', { from: '/etc/passwd', to: 'passwd.txt' }),
          call('move_file', { from: 'link-file.md', to: 'leak.md' }),
          call('edit_file', { path: '../.env', oldText: 'T', newText: 'U' }),
          call('edit_file', { path: 'link-file.md', oldText: 'T', newText: 'U' }),
        ],
      ],
      isRefused: true,
    },
  ]
}
