/** Attacks with unknown tools and invalid inputs. */
import { type Attack, call } from './attack.ts'

export function toolAttacks(): Attack[] {
  const refused = (name: string, ...calls: ReturnType<typeof call>[]): Attack => ({
    name,
    steps: [calls],
    isRefused: true,
  })
  const path = 'index.mdx'
  return [
    refused(
      'tools that run programs',
      ...['run_shell', 'bash', 'exec', 'python', 'computer', 'eval'].map((name) =>
        call(name, { command: 'env; cat ../.env' }),
      ),
    ),
    refused(
      'tools that reach out',
      ...['http_get', 'fetch', 'web_search', 'browser', 'send_email', 'git_push', 'create_pull_request'].map(
        (name) => call(name, { url: 'http://169.254.169.254/', branch: 'main', force: true }),
      ),
    ),
    refused(
      'tools by names of objects',
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '0', 'length'].map((name) =>
        call(name, {}),
      ),
    ),
    refused(
      'tools with odd names',
      ...[
        'read_file\n',
        'read_file\u0000',
        ' read_file',
        'READ_FILE',
        'read_file\u202e',
        '\u001b[2J',
        '<img src=x>',
        'x'.repeat(5000),
        '../read_file',
      ].map((name) => call(name, { path: '../.env' })),
    ),
    refused(
      'inputs that are no objects',
      call('read_file', 'index.mdx'),
      call('read_file', ['index.mdx']),
      call('read_file', null),
      call('read_file', 1),
      call('write_file', true),
      call('finish', []),
    ),
    refused(
      'inputs with more than there is',
      call('read_file', { path, cwd: '/', root: '../..' }),
      call('write_file', { path: 'x.mdx', text: 'x', mode: '120000', target: '/etc/passwd' }),
      call('write_file', { path: 'x.mdx', text: 'x', docsFolder: '/' }),
      call('finish', { title: 'x', summary: 'x', reasons: [], branch: 'main', target: 'other', force: true }),
      call('check', { command: 'env' }),
    ),
    refused(
      'inputs of other kinds',
      call('read_file', { path: { toString: 'x' } }),
      call('read_file', { path: ['..', '.env'] }),
      call('read_file', { path, line: -1 }),
      call('read_file', { path, line: 'one' }),
      call('list_files', { folder: 7 }),
      call('search', { query: '' }),
      call('plan', { items: 'x' }),
    ),
    refused(
      'inputs with names of objects',
      call('read_file', JSON.parse('{"__proto__":{"path":"index.mdx"}}')),
      call('write_file', JSON.parse('{"constructor":{"prototype":{"path":"x.mdx"}},"text":"x"}')),
    ),
  ]
}
