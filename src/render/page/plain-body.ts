/** Converts the source of a page to plain paragraphs, if it cannot be rendered. */
import type { Problem } from '../../base/errors/problem.ts'
import { escapeHtml } from '../html/html.ts'
import { escapeMarkdown } from '../html/markdown-text.ts'
import { raw } from '../html/template.ts'
import type { BodyRequest, RenderedBody } from './body.ts'

export function createPlainBody(request: BodyRequest, problems: readonly Problem[]): RenderedBody {
  const lines = request.source.replace(/\r\n?/g, '\n').toWellFormed().split('\n')
  const text = lines.slice(Math.max(0, request.bodyLine - 1)).join('\n')
  const paragraphs = text.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.trim() !== '')
  return {
    opening: null,
    html: raw(paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph.trim())}</p>`).join('\n')),
    side: null,
    anchors: { ids: '', links: [], isOpen: false },
    images: [],
    pictures: [],
    remote: [],
    markdown: paragraphs.map((paragraph) => escapeMarkdown(paragraph).trim()).join('\n\n'),
    toc: [],
    sections: text.trim() === '' ? [] : [{ id: null, title: null, text: text.replace(/\s+/g, ' ').trim() }],
    classes: [],
    usesMath: false,
    usesMermaid: false,
    updateTags: [],
    updates: [],
    islands: null,
    problems,
    samples: [],
  }
}

/** Returns the problem of a page that cannot be rendered. Rewords stack overflows for authors. */
export function createLostPageProblem(file: string, line: number | null, cause: string): Problem {
  return {
    file,
    line,
    code: 'mdx.syntax',
    level: 'error',
    message: `The page cannot be rendered (${/call stack/.test(cause) ? 'it is too long or nested too deeply' : cause}), so it is shown as plain text.`,
    remedy: 'Simplify the page, or split it into several pages.',
  }
}
