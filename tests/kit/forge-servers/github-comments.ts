/** Line comments, conversation comments, reviews and write permissions of GitHub. */
import type { ForgeDescription } from './description.ts'
import type { ApiAnswer, ApiRequest, Refusal } from './forge-api.ts'
import type { ForgeState, KeptComment } from './forge-state.ts'
import { answerAboutReports, GITHUB_REPORTS } from './report-answers.ts'

type Json = { [key: string]: unknown }

interface Setup {
  state: ForgeState
  repository: string
  description: ForgeDescription
  refuse: (reason: Refusal) => ApiAnswer
}

export function createGithubComments({ state, repository, description, refuse }: Setup) {
  const user = (author: string): Json => ({
    ...(description.example('simple-user') as Json),
    ...(description.example('pull-request').user as Json),
    login: author,
    type: author.endsWith('[bot]') ? 'Bot' : 'User',
  })
  const common = ({ id, author, text, createdAt, updatedAt }: KeptComment): Json => ({
    id,
    body: text,
    user: user(author),
    // GitHub reports members of the organization as such even without write access.
    author_association: author === 'stranger' ? 'NONE' : 'MEMBER',
    created_at: createdAt,
    updated_at: updatedAt,
  })
  const first = (name: string): Json => {
    const given = description.example(name)
    return structuredClone((Array.isArray(given) ? given[0] : given) as Json)
  }
  const line = (one: KeptComment): Json => ({
    ...first('pull-request-review-comment-items'),
    ...common(one),
    path: one.path,
    line: one.line,
    ...(one.answers === null ? {} : { in_reply_to_id: one.answers }),
  })
  const note = (one: KeptComment): Json => ({ ...first('issue-comment-items'), ...common(one) })

  const status = (said: Json): Json => ({ ...first('status'), ...said })
  const reaction = ({ name, author, createdAt }: KeptComment['reactions'][number], id: number): Json => ({
    ...first('reaction-items'),
    ...{ id, content: name, user: user(author), created_at: createdAt },
  })

  function answer({ method, path, query, body }: ApiRequest): ApiAnswer | null {
    if (!path.startsWith(`${repository}/`)) return null
    const route = `${method} ${path.slice(repository.length)}`
    const page = <T>(all: T[]) => {
      const size = Number(query.get('per_page') ?? 30)
      const start = (Number(query.get('page') ?? 1) - 1) * size
      return { status: 200, body: all.slice(start, start + size) }
    }
    const of = (text: string | undefined) => state.comments.filter(({ request }) => request === Number(text))
    const reported = answerAboutReports(
      { state, base: repository, status, comment: note, reaction },
      GITHUB_REPORTS,
      {
        method,
        path,
        query,
        body,
        token: null,
      },
    )
    if (reported !== null) return reported
    let match = /^GET \/pulls\/(\d+)\/comments$/.exec(route)
    if (match)
      return page(
        of(match[1])
          .filter(({ path: file }) => file !== null)
          .map(line),
      )
    match = /^GET \/pulls\/(\d+)\/reviews$/.exec(route)
    if (match) return page([])
    match = /^GET \/issues\/(\d+)\/comments$/.exec(route)
    if (match)
      return page(
        of(match[1])
          .filter(({ path: file }) => file === null)
          .map(note),
      )
    match = /^POST \/issues\/(\d+)\/comments$/.exec(route)
    if (match) {
      const made = state.say({ request: Number(match[1]), author: 'octavo', text: String(body.body) })
      return { status: 201, body: note(made) }
    }
    match = /^POST \/pulls\/(\d+)\/comments\/(\d+)\/replies$/.exec(route)
    if (match) {
      const [, request, to] = match
      const above = state.comments[Number(to) - 1]
      if (above === undefined) return refuse('missing')
      const { path: file, line: at } = above
      const said = {
        request: Number(request),
        author: 'octavo',
        text: String(body.body),
        path: file,
        line: at,
      }
      return { status: 201, body: line(state.say({ ...said, answers: Number(to) })) }
    }
    match = /^GET \/collaborators\/([^/]+)\/permission$/.exec(route)
    if (match) {
      const name = decodeURIComponent(match[1] ?? '')
      const permission = state.writers.has(name) ? 'write' : 'read'
      return { status: 200, body: { permission, role_name: permission, user: null } }
    }
    return null
  }
  return { answer }
}
