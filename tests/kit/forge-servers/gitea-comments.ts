/** Comments, reviews and write permissions of Gitea and Forgejo. */
import type { ApiAnswer, ApiRequest } from './forge-api.ts'
import type { ForgeState, KeptComment } from './forge-state.ts'
import { answerAboutReports, GITHUB_REPORTS } from './report-answers.ts'

export function answerAboutComments(
  state: ForgeState,
  repository: string,
  { method, path, query, body }: ApiRequest,
): ApiAnswer | null {
  if (!path.startsWith(`${repository}/`)) return null
  const reported = answerAboutReports(
    { state, base: repository, status: showStatus, comment: showNote, reaction: showReaction },
    GITHUB_REPORTS,
    { method, path, query, body, token: null },
  )
  if (reported !== null) return reported
  const route = `${method} ${path.slice(repository.length)}`
  const of = (text: string | undefined) => state.comments.filter(({ request }) => request === Number(text))
  if (route === 'GET /assignees') {
    const writers = [...state.writers].map((login, index) => ({ id: index + 1, login }))
    return { status: 200, body: writers }
  }
  let match = /^GET \/issues\/(\d+)\/comments$/.exec(route)
  if (match)
    return {
      status: 200,
      body: of(match[1])
        .filter((one) => one.path === null)
        .map(showNote),
    }
  match = /^POST \/issues\/(\d+)\/comments$/.exec(route)
  if (match) {
    const made = state.say({ request: Number(match[1]), author: 'octavo', text: String(body.body) })
    return { status: 201, body: showNote(made) }
  }
  // Each line comment belongs to a separate review.
  match = /^GET \/pulls\/(\d+)\/reviews$/.exec(route)
  if (match) {
    const size = Number(query.get('limit') ?? 30)
    const start = (Number(query.get('page') ?? 1) - 1) * size
    const reviews = of(match[1]).filter((one) => one.path !== null)
    const shown = reviews.map((one) => ({
      id: 100 + one.id,
      body: '',
      state: 'COMMENT',
      comments_count: 1,
      submitted_at: one.createdAt,
      user: { id: 9, login: one.author },
    }))
    return { status: 200, body: shown.slice(start, start + size) }
  }
  match = /^GET \/pulls\/(\d+)\/reviews\/(\d+)\/comments$/.exec(route)
  if (match) {
    const id = Number(match[2]) - 100
    const lines = of(match[1]).filter((one) => one.id === id)
    return { status: 200, body: lines.map(showLine) }
  }
  return null
}

function showStatus({ state, ...said }: { [key: string]: unknown }) {
  return {
    id: 7,
    status: state,
    ...said,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  }
}

function showReaction({ name, author, createdAt }: KeptComment['reactions'][number]) {
  return { content: name, user: { id: 9, login: author }, created_at: createdAt }
}

function showNote({ id, author, text, createdAt, updatedAt }: KeptComment) {
  return { id, body: text, user: { id: 9, login: author }, created_at: createdAt, updated_at: updatedAt }
}

function showLine(one: KeptComment) {
  return { ...showNote(one), path: one.path, position: one.line, pull_request_review_id: 100 + one.id }
}
