/** Tasks that add missing content, which the site's own files support. */
import { group, has, lacks } from '../expectations.ts'
import { edit, finish, navigate, read, search, turns, write } from '../recording.ts'
import { KEEPSAKE, STARTER, type Task } from '../task.ts'

const IGNORE = 'guides/ignore.mdx'
const RESTORE = 'guides/restore.mdx'
const COMPONENTS = 'guides/components.mdx'

export const ADDITIONS: readonly Task[] = [
  {
    id: 'add-guide',
    kind: 'add',
    site: KEEPSAKE,
    prompt:
      'Write a short guide on leaving files out of snapshots, as guides/ignore, and put it at the end of the guides.',
    expects: [
      has(IGNORE, /^---\ntitle: /, /description: /, '`ignore`', '/reference/settings', '## Next'),
      lacks(IGNORE, /--ignore|--exclude/),
      group('Guides', 'guides/schedule', 'guides/restore', 'guides/ignore'),
    ],
    mayChange: [IGNORE, 'docs.json'],
    mostLines: 40,
    recording: turns(
      [read('AGENTS.md'), search('left out'), read(RESTORE), read('reference/settings.mdx')],
      [
        write(
          IGNORE,
          '---\ntitle: "Leave files out"\ndescription: "Keep what you do not need out of your snapshots."\n---\n\n```toml keepsake.toml\nignore = ["*.tmp"]\n```\n\nFiles that a pattern of [`ignore`](/reference/settings) names are left out of snapshots.\n\n## Next\n\n- [Take snapshots every night](/guides/schedule)\n',
        ),
        navigate({ operation: 'add_page', page: 'guides/ignore', within: ['Guides'] }),
      ],
      [finish('Add a guide on leaving files out', 'It rests on the setting ignore.', IGNORE, 'docs.json')],
    ),
  },
  {
    id: 'add-section',
    kind: 'add',
    site: KEEPSAKE,
    prompt: 'The restore guide should also show how to restore into another folder. Keep it short.',
    expects: [has(RESTORE, '--into', /## .*folder/i, '## From an older snapshot', '## Next')],
    mayChange: [RESTORE],
    mostLines: 16,
    recording: turns(
      [read(RESTORE), read('reference/commands.mdx')],
      [
        edit(
          RESTORE,
          '## Next',
          '## Into another folder\n\nName the folder. It is made when it is not there:\n\n```bash\nkeepsake restore ~/pictures --into ~/pictures-before\n```\n\n## Next',
        ),
      ],
      [finish('Show how to restore into another folder', 'The option --into does it.', RESTORE)],
    ),
  },
  {
    id: 'add-sample',
    kind: 'add',
    site: STARTER,
    prompt: 'Add a Python sample to the code group on the components page. It does what the other two do.',
    expects: [
      has(COMPONENTS, /```(?:python|py)\b/, /https:\/\/api\.example\.com\/bookings["']/),
      has(COMPONENTS, '```bash curl', '```js JavaScript'),
    ],
    mayChange: [COMPONENTS],
    mostLines: 12,
    recording: turns(
      [read(COMPONENTS)],
      [
        edit(
          COMPONENTS,
          '</CodeGroup>',
          "\n```python Python\nimport requests\n\nbookings = requests.get('https://api.example.com/bookings').json()\n```\n</CodeGroup>",
        ),
      ],
      [finish('Add a Python sample', 'It asks for the bookings as the others do.', COMPONENTS)],
    ),
  },
  {
    id: 'add-question',
    kind: 'add',
    site: STARTER,
    prompt:
      'Add a question to the accordions of the components page: which statuses are there? Answer from what the site says.',
    expects: [
      has(
        COMPONENTS,
        /<Accordion title="[^"]*status[^"]*">/i,
        /<Accordion [^>]*>[^<]*pending[^<]*confirmed/i,
      ),
      has(COMPONENTS, 'When is a booking final?', 'Can it be changed?'),
    ],
    mayChange: [COMPONENTS],
    mostLines: 5,
    recording: turns(
      [read(COMPONENTS)],
      [
        edit(
          COMPONENTS,
          '</AccordionGroup>',
          '  <Accordion title="Which statuses are there?">\n    Two: `pending` while it waits for payment, and `confirmed` once it is paid.\n  </Accordion>\n</AccordionGroup>',
        ),
      ],
      [finish('Answer which statuses there are', 'The table below says it.', COMPONENTS)],
    ),
  },
  {
    id: 'add-footer-link',
    kind: 'add',
    site: STARTER,
    prompt: 'Put a link to our repository, https://github.com/acme/bookings, into the footer of the site.',
    expects: [has('docs.json', /"footer"[\s\S]*"github": "https:\/\/github\.com\/acme\/bookings"/)],
    mayChange: ['docs.json'],
    mostLines: 8,
    newHosts: ['github.com'],
    recording: turns(
      [read('docs.json')],
      [
        edit(
          'docs.json',
          '  "favicon": "/images/favicon.svg",',
          '  "favicon": "/images/favicon.svg",\n  "footer": { "socials": { "github": "https://github.com/acme/bookings" } },',
        ),
      ],
      [finish('Link the repository in the footer', 'The address is the one of the task.', 'docs.json')],
    ),
  },
]
