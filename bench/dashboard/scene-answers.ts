/** Scripted answers of the model in the scene's jobs: tool calls on pages of the docs folder. */
import type { ScriptedAnswer } from '../../tests/kit/model-server.ts'
import type { ScenePage } from './scene-pages.ts'

/** Answers a prompt without a script: reads a page, adds a sentence, finishes. */
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

export function looking(page: ScenePage): ScriptedAnswer {
  return says('I begin with what the documentation says about it today.', search(page.title), {
    name: 'list_files',
    input: { glob: '**/*.mdx' },
  })
}

export function reading(page: ScenePage): ScriptedAnswer {
  return says('', read(page.file))
}

function edit(page: ScenePage, sentence: string): Call {
  const newText = `${page.paragraph.replace(/\.$/, '')}, as described below. ${sentence}`
  return { name: 'edit_file', input: { path: page.file, oldText: page.paragraph, newText } }
}

export function oneEdit(page: ScenePage, sentence: string, title: string): ScriptedAnswer[] {
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

export function again(page: ScenePage, oldText: string, newText: string, title: string): ScriptedAnswer[] {
  return [
    says('', { name: 'edit_file', input: { path: page.file, oldText, newText } }),
    says('', finish(title, [page.file])),
  ]
}

export function nothingToDo(page: ScenePage): ScriptedAnswer[] {
  return [
    says('', read(page.file), search('limit')),
    says('The page is right as it is: the number is the one that the reference names as well.'),
    says('', finish('Nothing has to change', [], 'The page is right as it is.')),
  ]
}

export function manyFiles(from: ScenePage, other: ScenePage): ScriptedAnswer[] {
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

export function useUpTokens(pages: readonly ScenePage[]): ScriptedAnswer[] {
  return pages.map((page, index) => ({
    text: index === 0 ? 'I go through the pages one after the other.' : '',
    toolCalls: [read(page.file)],
    usage: { inputTokens: 412_000, outputTokens: 2900 },
  }))
}

export function breakLinks(page: ScenePage): ScriptedAnswer[] {
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

export function manySteps(pages: readonly ScenePage[]): ScriptedAnswer[] {
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
