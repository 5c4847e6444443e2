/** The agent jobs of the scene: what each is asked, what the scripted model answers, and how it ends. */
import type { ScriptedAnswer } from '../../tests/kit/model-server.ts'
import type { ScenePage } from './scene-pages.ts'

/** What comes after the answers: the model says nothing more, is busy, is away, or refuses the key. */
export type TurnEnd = 'silent' | 'busy' | 'away' | 'refuses the key'

export interface SceneTurn {
  prompt: string
  answers: readonly ScriptedAnswer[]
  end?: TurnEnd
}

export interface SceneJob {
  name: string
  by: 'owner' | 'admin' | 'editor'
  /** Before now that it began; null: now. */
  hoursAgo: number | null
  turns: readonly [SceneTurn, ...SceneTurn[]]
  /** What a person does with it in the end. */
  closing?: 'accept' | 'decline' | 'cancel' | 'archive'
  /** Entries that it answers. */
  feedback?: number
}

/** Oldest first. */
export function sceneJobs(pages: readonly ScenePage[]): SceneJob[] {
  const [a, b, c, d, e, f, g, h] = pages as [
    ScenePage,
    ScenePage,
    ScenePage,
    ScenePage,
    ScenePage,
    ScenePage,
    ScenePage,
    ScenePage,
  ]
  return [
    {
      name: 'archived',
      by: 'admin',
      hoursAgo: 19 * 24,
      closing: 'archive',
      turns: [turn(`Shorten the introduction of “${a.title}”.`, nothingToDo(a))],
    },
    {
      name: 'merged',
      by: 'editor',
      hoursAgo: 6 * 24,
      closing: 'accept',
      turns: [
        turn(
          `Say on “${b.title}” that a change takes effect at once, without a restart.`,
          oneEdit(
            b,
            'A change takes effect at once; nothing has to be restarted.',
            'Say when a change takes effect',
          ),
        ),
      ],
    },
    {
      name: 'declined',
      by: 'editor',
      hoursAgo: 5 * 24,
      closing: 'decline',
      turns: [
        turn(
          `Recommend the beta channel on “${c.title}”.`,
          oneEdit(c, 'We recommend the beta channel to everybody.', 'Recommend the beta channel'),
        ),
      ],
    },
    {
      name: 'noChange',
      by: 'owner',
      hoursAgo: 4 * 24,
      turns: [turn(`Is the limit on “${d.title}” still right? Correct it if it is not.`, nothingToDo(d))],
    },
    {
      name: 'cap',
      by: 'editor',
      hoursAgo: 3 * 24,
      turns: [
        turn('Rewrite every page in the second person and give each one an example.', useUpTokens(pages)),
      ],
    },
    {
      name: 'problems',
      by: 'admin',
      hoursAgo: 52,
      turns: [turn(`Split “${e.title}” into a tutorial and a reference.`, breakLinks(e))],
    },
    {
      name: 'away',
      by: 'editor',
      hoursAgo: 30,
      turns: [turn(`Add a section on backups to “${f.title}”.`, [looking(f)], 'away')],
    },
    {
      name: 'refusedKey',
      by: 'admin',
      hoursAgo: 27,
      turns: [turn('Check all code examples for the new version of the API.', [], 'refuses the key')],
    },
    {
      name: 'cancelled',
      by: 'editor',
      hoursAgo: 25,
      closing: 'cancel',
      turns: [turn('Translate the quickstart into French.', [looking(a), reading(a)], 'silent')],
    },
    {
      name: 'open',
      by: 'editor',
      hoursAgo: 7,
      turns: [
        turn(
          `Write a guide on moving between environments, and lead to it from “${b.title}”.`,
          manyFiles(b, c),
        ),
      ],
    },
    {
      name: 'fromFeedback',
      by: 'owner',
      hoursAgo: 5,
      feedback: 4,
      turns: [
        turn(
          'Answer this feedback: correct the pages where readers are right.',
          oneEdit(
            d,
            'If a request fails, try it once more before you look for another cause.',
            'Say what to try first when a request fails',
          ),
        ),
      ],
    },
    {
      name: 'followUps',
      by: 'editor',
      hoursAgo: 3,
      turns: [
        turn(
          `Document the --region flag on “${g.title}”.`,
          oneEdit(g, 'Choose the region with the flag `--region`.', 'Document the --region flag'),
        ),
        turn(
          'Also name the regions that there are.',
          again(
            g,
            '`--region`.',
            '`--region`: `eu`, `us` or `ap`.',
            'Document the --region flag and its values',
          ),
        ),
        turn(
          'Say which one is the default, please. Readers ask for that first.',
          again(
            g,
            '`us` or `ap`.',
            '`us` or `ap`. Left out, it is `eu`.',
            'Document the --region flag, its values and its default',
          ),
        ),
      ],
    },
    {
      name: 'longPrompt',
      by: 'admin',
      hoursAgo: 1,
      turns: [
        turn(
          LONG_PROMPT,
          oneEdit(h, 'The address of the service can be changed in the settings.', LONG_TITLE),
        ),
      ],
    },
    {
      name: 'waiting',
      by: 'admin',
      hoursAgo: null,
      turns: [turn(`Explain on “${a.title}” what the free plan includes.`, [looking(a)], 'busy')],
    },
    {
      name: 'middle',
      by: 'editor',
      hoursAgo: null,
      turns: [
        turn(
          'Bring all pages on deployment in line with version 3: names, screenshots, commands.',
          manySteps(pages),
          'silent',
        ),
      ],
    },
    {
      name: 'early',
      by: 'owner',
      hoursAgo: null,
      turns: [
        turn(
          `Explain the difference between “${b.title}” and “${c.title}”, with a table.`,
          [looking(b)],
          'silent',
        ),
      ],
    },
  ]
}

/** Of a prompt that the scene does not know: reads a page, adds a sentence, finishes. */
export function anyTurn(page: ScenePage, prompt: string): ScriptedAnswer[] {
  const sentence = prompt
    .replace(/[<>{}`\s]+/g, ' ')
    .trim()
    .slice(0, 80)
  return [
    says('I look for the page that this is about.', search(sentence.split(' ')[0] ?? 'page')),
    says('', read(page.file)),
    says('The page says nothing of it yet, so I add a sentence.', {
      name: 'edit_file',
      input: {
        path: page.file,
        oldText: page.head,
        newText: `${page.head}\nAdded at your request: ${sentence}.\n`,
      },
    }),
    says('', finish(`Add a sentence to ${page.title}`.slice(0, 90), [page.file])),
  ]
}

function turn(prompt: string, answers: readonly ScriptedAnswer[], end?: TurnEnd): SceneTurn {
  return { prompt, answers, ...(end === undefined ? {} : { end }) }
}

type Call = NonNullable<ScriptedAnswer['toolCalls']>[number]

function says(text: string, ...toolCalls: Call[]): ScriptedAnswer {
  return { text, toolCalls, usage: { inputTokens: 9400, outputTokens: 310 } }
}

const read = (path: string): Call => ({ name: 'read_file', input: { path } })
const search = (query: string): Call => ({ name: 'search', input: { query, mode: 'pages' } })
const plan = (items: [string, 'open' | 'at_work' | 'done'][]): Call => ({
  name: 'plan',
  input: { items: items.map(([text, state]) => ({ text, state })) },
})

function finish(title: string, paths: readonly string[], summary = SUMMARY): Call {
  const reasons = paths.map((path) => ({ path, reason: 'The page left readers without an answer here.' }))
  return { name: 'finish', input: { title, summary, reasons } }
}

const SUMMARY =
  'Readers asked for this again and again, and the page had no answer.\n\nThe wording follows the pages around it. Nothing was left open.'

function looking(page: ScenePage): ScriptedAnswer {
  return says('I begin with what the documentation says about it today.', search(page.title), {
    name: 'list_files',
    input: { glob: '**/*.mdx' },
  })
}

function reading(page: ScenePage): ScriptedAnswer {
  return says('', read(page.file))
}

function edit(page: ScenePage, sentence: string): Call {
  const newText = `${page.paragraph.replace(/\.$/, '')}, as described below. ${sentence}`
  return { name: 'edit_file', input: { path: page.file, oldText: page.paragraph, newText } }
}

function oneEdit(page: ScenePage, sentence: string, title: string): ScriptedAnswer[] {
  return [
    says(
      `I read ${page.file} and look for other places that say the same.`,
      read(page.file),
      search(page.title),
    ),
    says('Only this page has to change.', edit(page, sentence)),
    says('', { name: 'preview', input: { path: page.file } }),
    says('', finish(title, [page.file])),
  ]
}

function again(page: ScenePage, oldText: string, newText: string, title: string): ScriptedAnswer[] {
  return [
    says('', { name: 'edit_file', input: { path: page.file, oldText, newText } }),
    says('', finish(title, [page.file])),
  ]
}

function nothingToDo(page: ScenePage): ScriptedAnswer[] {
  return [
    says('', read(page.file), search('limit')),
    says('The page is right as it is: the number is the one that the reference names as well.'),
    says('', finish('Nothing has to change', [], 'The page is right as it is.')),
  ]
}

function manyFiles(from: ScenePage, other: ScenePage): ScriptedAnswer[] {
  const file = 'moving-between-environments.mdx'
  const link = `See [Moving between environments](/${file.replace('.mdx', '')}).`
  const navigation: Call = {
    name: 'update_navigation',
    input: { operation: 'add_page', page: file.replace('.mdx', ''), within: from.within, after: from.text },
  }
  return [
    says(
      'I plan the work first.',
      plan([
        ['Read the pages on environments', 'at_work'],
        ['Write the guide', 'open'],
        ['Lead to it', 'open'],
      ]),
      read(from.file),
      read(other.file),
    ),
    says('', { name: 'write_file', input: { path: file, text: GUIDE } }),
    says('', edit(from, link), edit(other, link), navigation),
    says(
      'I check the whole site with the change in it.',
      { name: 'preview', input: { path: file } },
      { name: 'check', input: {} },
    ),
    says(
      '',
      plan([
        ['Read the pages on environments', 'done'],
        ['Write the guide', 'done'],
        ['Lead to it', 'done'],
      ]),
      finish('Write a guide on moving between environments', [file, from.file, other.file, 'docs.json']),
    ),
  ]
}

const GUIDE = `---
title: "Moving between environments"
description: "Take an app from staging to production without rebuilding it."
---

Build an app once, in one environment, and move it as it is. What differs between environments is named in one file, and nothing else changes.

## Before you begin

- An app that runs in the environment you come from.
- The right to write in the environment you go to.

## Move the app

1. Export the app where it runs now.
2. Replace the values of that environment in the file.
3. Import the file where it shall run.

\`\`\`bash
app export --from staging > app.yaml
app import --to production app.yaml
\`\`\`

## When something is missing

An import names each value that the file lacks, all at once. Add them and import again: what is there already is not made twice.
`

function useUpTokens(pages: readonly ScenePage[]): ScriptedAnswer[] {
  return pages.map((page, index) => ({
    text: index === 0 ? 'I go through the pages one after the other.' : '',
    toolCalls: [read(page.file)],
    usage: { inputTokens: 412_000, outputTokens: 2900 },
  }))
}

function breakLinks(page: ScenePage): ScriptedAnswer[] {
  const tries = [
    '/tutorials/first-steps',
    '/reference/all-settings',
    '/reference/settings',
    '/tutorial',
  ] as const
  return tries.flatMap((path, index): ScriptedAnswer[] => [
    says(index === 0 ? 'I move the settings into a page of their own.' : 'I correct the links.', {
      name: 'write_file',
      input: {
        path: 'settings-reference.mdx',
        text: `---\ntitle: "Settings"\n---\n\nAll settings. Begin with [the tutorial](${path}), or [look one up](${path}/by-name).\n`,
      },
    }),
    says('', finish(`Split ${page.title}`.slice(0, 90), ['settings-reference.mdx'])),
  ])
}

function manySteps(pages: readonly ScenePage[]): ScriptedAnswer[] {
  const tasks = [
    'Find every page that speaks of deployment',
    'Read the notes on version 3',
    'Correct the names of the commands',
    'Replace the old flags',
    'Describe the new regions',
    'Check that each example runs',
    'Look at the rendered pages',
    'Mend links to pages that were renamed, also those from the API reference and the changelog of the year before',
    'Check the whole site',
  ]
  const at = (now: number) =>
    plan(tasks.map((text, index) => [text, index < now ? 'done' : index === now ? 'at_work' : 'open']))
  const different = [...new Map(pages.map((page) => [page.file, page])).values()]
  return [
    says('Version 3 touches many pages, so I write down what there is to do.', at(0)),
    says('', search('deployment'), {
      name: 'search',
      input: { query: 'deploy(ed|ment|ing)?', mode: 'regex' },
    }),
    says('', at(1), { name: 'list_files', input: { glob: '**/*.mdx' } }),
    ...different.slice(0, 4).map(reading),
    says('The commands are named in the old way on four of these pages. I begin with them.', at(2)),
    says('', {
      name: 'edit_file',
      input: { path: different[0]?.file ?? '', oldText: 'deploy now --prod', newText: 'deploy --production' },
    }),
    says(
      'That text is not there; I look at the page once more.',
      read(different[0]?.file ?? ''),
      edit(different[0] as ScenePage, 'From version 3 on, the command is `deploy`.'),
    ),
    ...different
      .slice(1, 3)
      .map((page) => says('', edit(page, 'From version 3 on, the command is `deploy`.'))),
    says('The commands are right now. Next are the flags.', at(3)),
    ...different.slice(3).map(reading),
    says('', { name: 'preview', input: { path: different[0]?.file ?? '' } }, at(4)),
    says(
      '',
      search('regions and zones'),
      edit(different[3] as ScenePage, 'Regions are chosen for each deployment.'),
    ),
    says('I check in between, before I go on with the examples.', { name: 'check', input: {} }),
    says('', at(5), read('docs.json')),
  ]
}

const LONG_TITLE =
  'Say in which order the settings of the address are read, and what wins where several are given'

const LONG_PROMPT = `The page on the address of the service is wrong in several places, and people lose hours over it.

What is wrong:
- It says that the address is read once, at the start. Since 2.9 it is read again for each request.
- It names the variable SERVICE_URL, which was renamed to SERVICE_ADDRESS in 2.7. The old one still works and warns.
- The order is the other way round: a flag wins over the environment, and the environment over the file.
- The example for containers has a port that nobody uses any more (8081); it is 8080 everywhere else.

What I would like to see:
1. A table with the three places, in the order in which they win.
2. One example for each: a shell, a container, a file.
3. A note for people who come from 2.6, with what they have to rename.
4. The paragraph on proxies moved to the page on networks, with a link from here.

Please keep the headings as they are, since other sites link to them, and do not touch the translated pages: a translator goes through them next week. If you find that other pages repeat the old order, correct them in the same change and list them in the summary. ${'The same holds for the pages of the reference that quote this one word for word, as long as they are written by hand. '.repeat(3)}

Thank you!`
