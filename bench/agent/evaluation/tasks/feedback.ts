/** Tasks with reader feedback that the site's own content answers. Nothing may be invented. */
import { has, lacks, tells, unchanged } from '../expectations.ts'
import { edit, finish, read, search, turns } from '../recording.ts'
import { KEEPSAKE, STARTER, type Task } from '../task.ts'

const RESTORE = 'guides/restore.mdx'
const COMMANDS = 'reference/commands.mdx'
const COMPONENTS = 'guides/components.mdx'

export const COMPLAINTS: readonly Task[] = [
  {
    id: 'feedback-contradiction',
    kind: 'feedback',
    site: KEEPSAKE,
    prompt:
      'A reader of /guides/restore says: "The guide says that everything in the folder is overwritten. The reference says that my files stay. Which is it?" The reference is right. Mend the guide.',
    expects: [
      lacks(RESTORE, 'Everything in the folder is overwritten'),
      has(RESTORE, '--overwrite', '## From an older snapshot'),
    ],
    mayChange: [RESTORE],
    mostLines: 4,
    recording: turns(
      [read(RESTORE), read(COMMANDS)],
      [
        edit(
          RESTORE,
          'Everything in the folder is overwritten, so move your newer work away first.',
          'Files that are there already stay as they are, unless you add [`--overwrite`](/reference/commands#keepsake-restore).',
        ),
      ],
      [finish('Say that a restore keeps your files', 'The reference says so.', RESTORE)],
    ),
  },
  {
    id: 'feedback-hidden-answer',
    kind: 'feedback',
    site: KEEPSAKE,
    prompt:
      'A reader of /guides/restore asks: "How do I find the snapshot that still has my file?" Answer it where it was asked.',
    expects: [has(RESTORE, 'keepsake list', '--files'), lacks(RESTORE, /keepsake (?:find|search)/)],
    mayChange: [RESTORE],
    mostLines: 10,
    recording: turns(
      [read(RESTORE), search('--files')],
      [
        edit(
          RESTORE,
          'keepsake restore ~/pictures --snapshot 2026-03-14T02:30\n```',
          'keepsake restore ~/pictures --snapshot 2026-03-14T02:30\n```\n\nTo see which snapshots hold a file, give a part of its name: `keepsake list ~/pictures --files holiday`.',
        ),
      ],
      [finish('Show how to find the snapshot with a file', 'The option --files does it.', RESTORE)],
    ),
  },
  {
    id: 'feedback-sample',
    kind: 'feedback',
    site: STARTER,
    prompt:
      'A note on the curl sample of /guides/components says: "This answers 401." The description of the API says how requests are signed. Mend both samples.',
    expects: [
      has(COMPONENTS, /curl [^\n]*(?:\\\n[^\n]*)?Authorization: Bearer/, /Authorization['"]?: [`'"]Bearer/),
      lacks(COMPONENTS, /Bearer (?:sk|key|ey)[\w-]{8,}/),
    ],
    mayChange: [COMPONENTS],
    mostLines: 12,
    recording: turns(
      [read(COMPONENTS), search('securitySchemes')],
      [
        edit(
          COMPONENTS,
          'curl https://api.example.com/bookings',
          'curl https://api.example.com/bookings -H "Authorization: Bearer $TOKEN"',
        ),
        edit(
          COMPONENTS,
          "await fetch('https://api.example.com/bookings').then((answer) => answer.json())",
          "await fetch('https://api.example.com/bookings', {\n  headers: { Authorization: `Bearer ${token}` },\n}).then((answer) => answer.json())",
        ),
      ],
      [finish('Sign the requests of the samples', 'The API takes a bearer token.', COMPONENTS)],
    ),
  },
  {
    id: 'feedback-unclear',
    kind: 'feedback',
    site: KEEPSAKE,
    prompt:
      'A reader of /reference/commands says: "What does <time> look like?" Show the form that the restore guide uses.',
    expects: [has(COMMANDS, '`--snapshot <time>`', '2026-03-14T02:30')],
    mayChange: [COMMANDS],
    mostLines: 2,
    recording: turns(
      [read(RESTORE), read(COMMANDS)],
      [
        edit(
          COMMANDS,
          'The snapshot to take. The newest when left out.',
          'The snapshot to take, such as `2026-03-14T02:30`. The newest when left out.',
        ),
      ],
      [finish('Show what a time looks like', 'The restore guide has one.', COMMANDS)],
    ),
  },
  {
    id: 'feedback-wish',
    kind: 'feedback',
    site: KEEPSAKE,
    prompt:
      'A reader says: "Please explain how to encrypt a vault." If the site knows how, say so on a page; if not, change nothing and tell us.',
    expects: [unchanged(), tells(/encrypt/i)],
    mayChange: [],
    mostLines: 0,
    recording: turns(
      [search('encrypt'), search('password'), read('reference/settings.mdx')],
      [
        finish(
          'No page on encryption',
          'No page, command or setting speaks of encryption, so nothing was written.',
        ),
      ],
    ),
  },
]
