/** Refusals for people: who opens an address in a browser reads a page, where programs read the error shape. */
import type { FastifyRequest } from 'fastify'
import { type CataloguedError, ERRORS } from '../base/errors/error-catalogue.ts'
import { type AppError, type ErrorCode, errorSentence } from '../base/errors/errors.ts'
import type { PlainPage } from '../routing/plain-page.ts'

/** What is below these is for programs, whoever asks. */
const OF_PROGRAMS = /^\/(?:v1|internal)\//

/** A browser that is about to show the answer: scripts of pages do not ask for HTML. */
export function wantsPage({ method, headers, url }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && /\btext\/html\b/.test(headers.accept ?? '') && !OF_PROGRAMS.test(url)
}

/** In words for people, where the catalogue speaks to programmers. */
const WORDS: Partial<Record<ErrorCode, Pick<PlainPage, 'title' | 'about'>>> = {
  not_found: {
    title: 'There is nothing at this address',
    about: 'It may be mistyped, or what was here has been moved or removed.',
  },
}

/** `hasStart`: the server's own start page is at this host. */
export function errorPage(refusal: AppError, requestId: string, hasStart: boolean): PlainPage {
  const start = hasStart ? '<p><a href="/">Go to the start page</a></p>\n' : ''
  return {
    ...(WORDS[refusal.code] ?? wordsOf(refusal)),
    more: `${start}<small>${refusal.status} ${refusal.code} · ${requestId}</small>`,
  }
}

function wordsOf({ code, message }: AppError): Pick<PlainPage, 'title' | 'about'> {
  const { sentence, remedy, isWhole }: CataloguedError = ERRORS[code]
  if (isWhole || message !== errorSentence(code)) return { title: message.replace(/\.$/, ''), about: '' }
  return { title: sentence.replace(/\.$/, ''), about: remedy }
}
