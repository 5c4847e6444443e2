/** Agent jobs of the scene: prompts, answers of the scripted model, and how each job ends. */
import type { ScriptedAnswer } from '../../tests/kit/model-server.ts'
import {
  again,
  breakLinks,
  looking,
  manyFiles,
  manySteps,
  nothingToDo,
  oneEdit,
  reading,
  useUpTokens,
} from './scene-answers.ts'
import type { ScenePage } from './scene-pages.ts'

/** Behavior after the last answer: the model stays silent, is overloaded, is down, or rejects the API key. */
export type TurnEnd = 'silent' | 'busy' | 'away' | 'refuses the key'

export interface SceneTurn {
  prompt: string
  answers: readonly ScriptedAnswer[]
  end?: TurnEnd
}

export interface SceneJob {
  name: string
  by: 'owner' | 'admin' | 'editor'
  /** Hours since the job began; null for now. */
  hoursAgo: number | null
  turns: readonly [SceneTurn, ...SceneTurn[]]
  /** Action of a person after the last turn. */
  closing?: 'accept' | 'decline' | 'cancel' | 'archive'
  /** Number of feedback entries that the job addresses. */
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
          `Write a guide on moving between environments, and lead to it from “${f.title}”.`,
          manyFiles(f, e),
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
          'Address this feedback: correct the pages where readers are right.',
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

function turn(prompt: string, answers: readonly ScriptedAnswer[], end?: TurnEnd): SceneTurn {
  return { prompt, answers, ...(end === undefined ? {} : { end }) }
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
