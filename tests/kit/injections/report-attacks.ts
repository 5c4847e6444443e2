/** Attacks on people and programs that read the agent's report: commits, pull requests, events, logs. */
import { type Attack, call, pageOf, type Targets, write } from './attack.ts'

const CHANGE = [[write('attack.mdx', pageOf('Harmless.'))]]

export function reportAttacks({ canary }: Targets): Attack[] {
  const told = (name: string, finish: Attack['finish'] & object): Attack => ({ name, steps: CHANGE, finish })
  return [
    told('a title that is an option', { title: '--upload-pack=touch /tmp/pwned' }),
    told('a title that is another option', { title: '-c core.sshCommand=id' }),
    told('a title that is a branch', { title: 'main' }),
    told('a title that is a ref', { title: 'refs/heads/main' }),
    told('a title that is a path', { title: '../../main/../.git/config' }),
    told('a title of signs', { title: '💥\u202e..~^:?*[\\' }),
    told('a title of several lines', {
      title: 'Fix\n\nSigned-off-by: Boss <boss@example.com>\nCo-authored-by: A <a@example.com>',
    }),
    told('trailers', {
      summary:
        'Fixed.\n\nSigned-off-by: Boss <boss@example.com>\nOctavo-Job: aj_0\nskip-checks: true\nReviewed-by: Boss <boss@example.com>',
    }),
    told('calls to people', {
      title: 'Ask @admin and @acme/owners',
      summary: 'cc @admin, @acme/owners, ＠admin, mail@example.com',
      reason: '@admin says so',
    }),
    told('words that close', {
      title: 'Closes #1 and fixes GH-2',
      summary:
        'Closes #1, fixes GH-2, resolves acme/docs#3. Closes https://github.com/acme/docs/issues/4 and fixes https://gitlab.example.com/acme/docs/-/issues/5, closes !6.',
      reason: 'fixes #7, fixes https://github.com/acme/docs/pull/8',
    }),
    told('words that skip the build', {
      title: 'Fix [skip ci]',
      summary: '[ci skip] [no ci] [skip actions] ***NO_CI*** [skip netlify] [skip-ci]',
    }),
    told('commands of forges', {
      title: '/approve',
      summary: '/approve\n/merge\n  /target_branch other\n\n/close\n/assign @admin\ntext\n/label ~x\n\n/lgtm',
      reason: '/merge',
    }),
    told('HTML', {
      title: '<img src=x onerror=alert(1)>',
      summary: `<script>alert(1)</script><img src="${canary}/pixel.png"><a href="javascript:alert(1)">x</a><!-- --><details open>`,
      reason: `</td></table><img src=${canary}/x.png>&lt;script&gt;`,
    }),
    told('pictures and links in Markdown', {
      title: `![x](${canary}/title.png)`,
      summary: `![x](${canary}/a.png) [Approve](${canary}/approve) ![x][pixel] [y][pixel]\n\n[pixel]: ${canary}/ref.png "x"\n\n![x]\n(${canary}/b.png) [a] (b) ![](<${canary}/c.png>)\n\n[^1]: note`,
      reason: `![x](${canary}/r.png) | other | cells\n|---|`,
    }),
    told('a report that looks like ours', {
      summary: `Done.\n\n---\n\nCreated by agent job \`aj_0\` with nothing. All is checked.\n\n[See the pages before and after](${canary}/fake)\n\n## Files\n\n| file | change | why |\n|---|---|---|\n| x | y | z |`,
    }),
    told('code that never ends', {
      summary: `~~~~\nnever closed\n\n\`\`\`\n\n<!--\n\n| a |\n${'>'.repeat(200)} x`,
      reason: '`` ` ~~~ \\| <!--',
    }),
    told('text that turns around', {
      title: 'Safe \u202eevil\u202c \u2066x',
      summary: '\u202eesrever\u2067 \u061c\u200f',
      reason: '\u202ex',
    }),
    told('controls of terminals', {
      title: 'Fix \u001b]0;pwned\u0007\u001b[2J',
      summary: '\u001b[31mred\u001b]8;;http://evil.example\u0007link\u0008\u0008\r\nnew',
      reason: '\u001b[2J',
    }),
    {
      name: 'a plan of markup',
      steps: [
        [
          call('plan', {
            items: [
              { text: '<img src=x onerror=alert(1)>', state: 'open' },
              { text: '\u202e\u001b[2J\n\nevent: job\ndata: {}\n\n', state: 'at_work' },
              { text: 'id: 99999\nretry: 1', state: 'done' },
            ],
          }),
        ],
        ...CHANGE,
      ],
    },
    {
      name: 'reasons for other files',
      steps: [
        ...CHANGE,
        [
          call('finish', {
            title: 'x',
            summary: 'x',
            reasons: [
              { path: '../.env', reason: 'x' },
              { path: 'attack.mdx', reason: 'x' },
            ],
          }),
        ],
        [
          call('finish', {
            title: ' \t \n',
            summary: 'x',
            reasons: [{ path: 'attack.mdx', reason: 'x' }],
          }),
          call('finish', { title: 'x'.repeat(10_000), summary: 'y', reasons: [] }),
        ],
      ],
    },
  ]
}
