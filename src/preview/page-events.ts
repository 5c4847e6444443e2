/** Sends events to open pages when they are outdated or have problems. */
import type { ServerResponse } from 'node:http'
import type { Log } from '../base/log.ts'
import type { PreviewPages } from './preview-pages.ts'

export interface PageEvents {
  /** Opens an event stream for the page at `path`. Ends when the browser disconnects. */
  open(path: string, response: ServerResponse, headers: Readonly<Record<string, string>>): void
  /** Notifies pages of a new state. Resolves when all pages have received their current version. */
  notify(): Promise<void>
  /** Notifies pages of further problems in the current state. */
  notifyProblems(): Promise<void>
  close(): void
}

interface OpenPage {
  path: string
  response: ServerResponse
  /** Last data sent, by event. */
  sent: Map<string, string>
}

export function createPageEvents({ pages, log }: { pages: PreviewPages; log: Log }): PageEvents {
  const open = new Set<OpenPage>()

  const send = async (page: OpenPage, event: string, data: Promise<unknown>) => {
    try {
      const text = JSON.stringify(await data)
      if (page.sent.get(event) === text || page.response.destroyed) return
      page.sent.set(event, text)
      page.response.write(`event: ${event}\ndata: ${text}\n\n`)
    } catch (error) {
      log.debug({ error, path: page.path }, 'preview.event_failed')
    }
  }

  const sendVersion = (page: OpenPage) =>
    send(
      page,
      'version',
      pages.version(page.path).then((version) => ({ version })),
    )
  const sendNotes = (page: OpenPage) => send(page, 'notes', pages.notes(page.path))
  const forEachPage = async (work: (page: OpenPage) => Promise<void>) => {
    await Promise.all([...open].map(work))
  }

  return {
    open: (path, response, headers) => {
      const page = { path, response, sent: new Map() }
      open.add(page)
      response.on('close', () => open.delete(page))
      response.on('error', () => open.delete(page))
      const type = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
      response.writeHead(200, { ...headers, ...type })
      response.write('retry: 500\n\n')
      void sendVersion(page).then(() => sendNotes(page))
    },
    notify: () => forEachPage(sendVersion),
    notifyProblems: () => forEachPage(sendNotes),
    close: () => {
      for (const { response } of open) response.destroy()
    },
  }
}
