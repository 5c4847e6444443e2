/** Tasks that rename something everywhere it is mentioned. */
import { has, lacks, nowhere } from '../expectations.ts'
import { edit, finish, read, search, turns } from '../recording.ts'
import { edited, KEEPSAKE, STARTER, type Task } from '../task.ts'

const COMMANDS = 'reference/commands.mdx'
const SETTINGS = 'reference/settings.mdx'
const SCHEDULE = 'guides/schedule.mdx'
const RESTORE = 'guides/restore.mdx'

const LINKED = edited(STARTER, 'index.mdx', [
  'This site is yours to change.',
  'This site is yours to change. What readers open on demand is [shown here](/guides/components#more-on-demand).',
])

export const RENAMES: readonly Task[] = [
  {
    id: 'rename-command',
    kind: 'rename',
    site: KEEPSAKE,
    prompt: 'The command `keepsake list` is called `keepsake snapshots` now. Follow the rename everywhere.',
    expects: [
      nowhere('keepsake list'),
      has(COMMANDS, '## keepsake snapshots'),
      has('quickstart.mdx', 'keepsake snapshots'),
      has(RESTORE, 'keepsake snapshots ~/pictures'),
      has(COMMANDS, '## keepsake snapshot\n'),
    ],
    mayChange: [COMMANDS, 'quickstart.mdx', RESTORE],
    mostLines: 8,
    recording: turns(
      [search('keepsake list')],
      [
        edit(COMMANDS, '## keepsake list', '## keepsake snapshots'),
        edit('quickstart.mdx', 'keepsake list', 'keepsake snapshots'),
        edit(RESTORE, 'keepsake list ~/pictures', 'keepsake snapshots ~/pictures'),
      ],
      [
        finish(
          'Call the command keepsake snapshots',
          'The command has a new name.',
          COMMANDS,
          'quickstart.mdx',
          RESTORE,
        ),
      ],
    ),
  },
  {
    id: 'rename-option',
    kind: 'rename',
    site: KEEPSAKE,
    prompt: 'The option `--only` of `keepsake restore` has become `--path`. Bring the docs in line.',
    expects: [nowhere('--only'), has(COMMANDS, '`--path <path>`', 'Just this file or folder')],
    mayChange: [COMMANDS],
    mostLines: 2,
    recording: turns(
      [search('--only')],
      [edit(COMMANDS, '`--only <path>`', '`--path <path>`')],
      [finish('Call the option --path', 'The option has a new name.', COMMANDS)],
    ),
  },
  {
    id: 'rename-linked-heading',
    kind: 'rename',
    site: LINKED,
    prompt: 'On the components page, the heading "More on demand" should read "Details on demand".',
    expects: [
      has('guides/components.mdx', '## Details on demand'),
      nowhere('More on demand'),
      has('index.mdx', '/guides/components#details-on-demand'),
    ],
    mayChange: ['guides/components.mdx', 'index.mdx'],
    mostLines: 4,
    recording: turns(
      [search('more-on-demand'), search('More on demand')],
      [
        edit('guides/components.mdx', '## More on demand', '## Details on demand'),
        edit('index.mdx', '#more-on-demand', '#details-on-demand'),
      ],
      [
        finish(
          'Name the heading Details on demand',
          'The link to the heading follows.',
          'guides/components.mdx',
          'index.mdx',
        ),
      ],
    ),
  },
  {
    id: 'rename-setting',
    kind: 'rename',
    site: KEEPSAKE,
    prompt: 'In keepsake.toml the setting `keep` is now called `retain`. Update the docs.',
    expects: [
      has(SETTINGS, '| `retain` | `30` |'),
      has(SCHEDULE, '[`retain`](/reference/settings)'),
      nowhere('`keep`'),
    ],
    mayChange: [SETTINGS, SCHEDULE],
    mostLines: 4,
    recording: turns(
      [search('`keep`')],
      [edit(SETTINGS, '| `keep` |', '| `retain` |'), edit(SCHEDULE, '[`keep`]', '[`retain`]')],
      [finish('Call the setting retain', 'The setting has a new name.', SETTINGS, SCHEDULE)],
    ),
  },
  {
    id: 'rename-tab',
    kind: 'rename',
    site: STARTER,
    prompt: 'Rename the tab "Guide" to "Handbook".',
    expects: [has('docs.json', '"tab": "Handbook"', '"tab": "API reference"'), lacks('docs.json', '"Guide"')],
    mayChange: ['docs.json'],
    mostLines: 2,
    recording: turns(
      [read('docs.json')],
      [edit('docs.json', '"tab": "Guide"', '"tab": "Handbook"')],
      [finish('Name the tab Handbook', 'The tab has a new name.', 'docs.json')],
    ),
  },
]
