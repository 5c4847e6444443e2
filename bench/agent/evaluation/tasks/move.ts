/** Tasks that move pages and groups without breaking existing links. */
import { group, groups, has, isGone, nowhere, redirects } from '../expectations.ts'
import { edit, finish, move, navigate, read, remove, search, turns } from '../recording.ts'
import { KEEPSAKE, STARTER, type Task } from '../task.ts'

const NIGHTLY = 'guides/nightly.mdx'
const SCHEDULE = 'guides/schedule.mdx'
const COMMANDS = 'reference/commands.mdx'
const SETTINGS = 'reference/settings.mdx'

/** Adds a redirect to a docs.json that has none. */
const redirecting = (source: string, destination: string, before: string) =>
  edit(
    'docs.json',
    before,
    `  "redirects": [{ "source": "${source}", "destination": "${destination}" }],\n${before}`,
  )

export const MOVES: readonly Task[] = [
  {
    id: 'move-page',
    kind: 'move',
    site: KEEPSAKE,
    prompt: 'Move the page guides/schedule to guides/nightly.',
    expects: [
      isGone(SCHEDULE),
      has(NIGHTLY, 'keepsake schedule ~/pictures --at 02:30'),
      has('quickstart.mdx', '(/guides/nightly)'),
      group('Guides', 'guides/nightly', 'guides/restore'),
      redirects('/guides/schedule', '/guides/nightly'),
    ],
    mayChange: [SCHEDULE, NIGHTLY, 'quickstart.mdx', 'docs.json'],
    mostLines: 56,
    recording: turns(
      [search('guides/schedule')],
      [move(SCHEDULE, NIGHTLY), edit('quickstart.mdx', '(/guides/schedule)', '(/guides/nightly)')],
      [
        navigate({ operation: 'remove_page', page: 'guides/schedule' }),
        navigate({ operation: 'add_page', page: 'guides/nightly', within: ['Guides'], index: 0 }),
      ],
      [redirecting('/guides/schedule', '/guides/nightly', '  "navigation": {')],
      [
        finish(
          'Move the guide on schedules to guides/nightly',
          'Links, menu and the old address follow.',
          SCHEDULE,
          NIGHTLY,
          'quickstart.mdx',
          'docs.json',
        ),
      ],
    ),
  },
  {
    id: 'move-group',
    kind: 'move',
    site: KEEPSAKE,
    prompt: 'In the menu, the reference should come before the guides.',
    expects: [
      groups('Start', 'Reference', 'Guides'),
      group('Reference', 'reference/commands', 'reference/settings'),
    ],
    mayChange: ['docs.json'],
    mostLines: 8,
    recording: turns(
      [navigate({ operation: 'show' })],
      [navigate({ operation: 'move_group', from: ['Reference'], within: [], before: 'Guides' })],
      [finish('Put the reference before the guides', 'Only the order changes.', 'docs.json')],
    ),
  },
  {
    id: 'move-start-page',
    kind: 'move',
    site: STARTER,
    prompt: 'Move the quickstart below guides: its address should be /guides/quickstart.',
    expects: [
      isGone('quickstart.mdx'),
      has('guides/quickstart.mdx', '<Step title="Preview">'),
      has('index.mdx', 'href="/guides/quickstart"'),
      group('Start', 'index', 'guides/quickstart'),
      redirects('/quickstart', '/guides/quickstart'),
    ],
    mayChange: ['quickstart.mdx', 'guides/quickstart.mdx', 'index.mdx', 'guides/pages.mdx', 'docs.json'],
    mostLines: 84,
    recording: turns(
      [search('quickstart')],
      [
        move('quickstart.mdx', 'guides/quickstart.mdx'),
        edit('index.mdx', 'href="/quickstart"', 'href="/guides/quickstart"'),
        edit('guides/pages.mdx', '[links](/quickstart)', '[links](/guides/quickstart)'),
      ],
      [
        navigate({ operation: 'remove_page', page: 'quickstart' }),
        navigate({ operation: 'add_page', page: 'guides/quickstart', within: ['Guide', 'Start'] }),
      ],
      [redirecting('/quickstart', '/guides/quickstart', '  "navigation": {')],
      [
        finish(
          'Move the quickstart to /guides/quickstart',
          'Links, menu and the old address follow.',
          'quickstart.mdx',
          'guides/quickstart.mdx',
          'index.mdx',
          'guides/pages.mdx',
          'docs.json',
        ),
      ],
    ),
  },
  {
    id: 'merge-pages',
    kind: 'move',
    site: KEEPSAKE,
    prompt:
      'Put the table of the settings page at the end of the commands page, below a heading "Settings", and remove the settings page.',
    expects: [
      isGone(SETTINGS),
      has(COMMANDS, '## Settings', '| `vault` | none |', '| `ignore` |', '## keepsake schedule'),
      nowhere('(/reference/settings)'),
      group('Reference', 'reference/commands'),
      redirects('/reference/settings', '/reference/commands#settings'),
    ],
    mayChange: [SETTINGS, COMMANDS, SCHEDULE, 'docs.json'],
    mostLines: 40,
    recording: turns(
      [read(SETTINGS), read(COMMANDS), search('reference/settings')],
      [
        edit(
          COMMANDS,
          'Takes a snapshot of a folder every day. `--at <hh:mm>` says when.',
          'Takes a snapshot of a folder every day. `--at <hh:mm>` says when.\n\n## Settings\n\n| Setting | Default | Means |\n|---|---|---|\n| `vault` | none | Where snapshots are kept. |\n| `keep` | `30` | Snapshots of a folder that are kept; older ones go. |\n| `ignore` | `[]` | Patterns of files that are left out. |',
        ),
        edit(SCHEDULE, '(/reference/settings)', '(/reference/commands#settings)'),
        navigate({ operation: 'remove_page', page: 'reference/settings' }),
        remove(SETTINGS),
      ],
      [redirecting('/reference/settings', '/reference/commands#settings', '  "navigation": {')],
      [
        finish(
          'Put the settings on the commands page',
          'The old address leads there.',
          SETTINGS,
          COMMANDS,
          SCHEDULE,
          'docs.json',
        ),
      ],
    ),
  },
  {
    id: 'move-in-menu',
    kind: 'move',
    site: STARTER,
    prompt: 'The components page belongs to the group "Start", at its end. Its address stays.',
    expects: [
      group('Start', 'index', 'quickstart', 'guides/components'),
      group('Write', 'guides/pages'),
      has('guides/components.mdx', '## Callouts'),
    ],
    mayChange: ['docs.json'],
    mostLines: 4,
    recording: turns(
      [navigate({ operation: 'show' })],
      [navigate({ operation: 'move_page', page: 'guides/components', within: ['Guide', 'Start'] })],
      [finish('Show the components page below Start', 'Its address stays.', 'docs.json')],
    ),
  },
]
