/** Shared setup: a change to review, made by a scripted model in a real repository, with hostile text. */
import type { AgentJob } from '../../src/features/agent/operations/agent.ts'
import { type AgentScene, openAgentScene } from '../kit/agent.ts'

export interface ReviewScene extends AsyncDisposable {
  agent: AgentScene
  /** Creates a separate change with one job. */
  propose(): Promise<AgentJob>
}

/** Runs if it is rendered as markup: in a title, a path, a reason or a line of a file. */
export const HOSTILE = `"'><img src=x onerror="document.title='broken in'"><b>&amp;`

/** Script of a site page that tries to access everything a page of Octavo could. */
const PROBE = `
(() => {
  const told = []
  const tell = (name, what) => { told.push(name + ': ' + what); document.documentElement.dataset.probe = told.join(' | ') }
  tell('origin', location.origin === 'null' || self.origin === 'null' ? 'null' : self.origin)
  try { localStorage.setItem('x', 'y'); tell('storage', 'open') } catch { tell('storage', 'closed') }
  try { document.cookie = 'a=b'; tell('cookie', 'open') } catch { tell('cookie', 'closed') }
  try { tell('parent', parent.document.title) } catch { tell('parent', 'closed') }
  try { if (top !== self) top.location = 'about:blank#gone' } catch { tell('top', 'closed') }
  fetch('/openapi.json').then(() => tell('api', 'open'), () => tell('api', 'closed'))
})()
`

const FILES = {
  'docs.json': JSON.stringify({
    name: 'Tea',
    theme: 'mint',
    colors: { primary: '#16A34A' },
    navigation: { groups: [{ group: 'Start', pages: ['index', 'guides/brew'] }] },
  }),
  'index.mdx': '---\ntitle: Welcome\n---\n\nAll about tea. See [how to brew](/guides/brew).\n',
  'guides/brew.mdx':
    '---\ntitle: Brew\n---\n\n## Water\n\nUse water of 70 degrees.\n\n## Time\n\nWait three minutes.\n',
  'probe.js': PROBE,
}

const MILK = 'guides/milk.mdx'
const HEBREW = 'guides/שלום.mdx'
const PROMPT = `Correct the temperature.\n\n${HOSTILE}`

export async function openReviewScene(): Promise<ReviewScene> {
  const write = (path: string, text: string) => ({ name: 'write_file', input: { path, text } })
  const place = (path: string) => ({
    name: 'update_navigation',
    input: { operation: 'add_page', page: path.replace('.mdx', ''), within: ['Start'] },
  })
  const brew = 'guides/brew.mdx'
  const agent = await openAgentScene({
    files: FILES,
    conversations: [
      {
        prompt: PROMPT,
        answers: [
          { toolCalls: [{ name: 'read_file', input: { path: brew } }] },
          {
            toolCalls: [
              { name: 'edit_file', input: { path: brew, oldText: '70 degrees', newText: '100 degrees' } },
              write(
                MILK,
                `---\ntitle: Milk\ndescription: When milk goes in.\n---\n\nMilk goes in last. \u202Elast in goes Milk\u202C\n\n\`${HOSTILE}\`\n\n${'a long line '.repeat(60)}\n`,
              ),
              write(HEBREW, '---\ntitle: שלום\ndescription: תה.\n---\n\nתה ירוק ותה שחור.\n'),
              place(MILK),
              place(HEBREW),
            ],
          },
          {
            toolCalls: [
              {
                name: 'finish',
                input: {
                  title: `Boil the water ${HOSTILE}`,
                  summary: `Black tea wants boiling water.\n\n${HOSTILE}`,
                  reasons: [brew, MILK, HEBREW, 'docs.json'].map((path) => ({
                    path,
                    reason: `A wrong number. ${HOSTILE}`,
                  })),
                },
              },
            ],
          },
        ],
      },
    ],
  })
  return {
    agent,
    async propose() {
      const { id } = await agent.octavo.client.createAgentJob(agent.projectId, { prompt: PROMPT })
      const job = await agent.ended(id)
      if (job.prLink === null) throw new Error(`no review: ${job.status} ${job.error}`)
      return job
    },
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  }
}
