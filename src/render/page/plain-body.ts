/** Last resort: the source text of a page, paragraph by paragraph, without any interpretation. */
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
  }
}

/** Problem of a page that cannot be rendered at all. Call stack errors are reworded for authors. */
export function createLostPageProblem(file: string, line: number | null, cause: string): Problem {
  return {
    file,
    line,
    code: 'mdx.syntax',
    level: 'error',
    message: `The page cannot be rendered (${/call stack/.test(cause) ? 'it is nested too deeply, or too long' : cause}); its text is shown as it was written.`,
    remedy: 'Simplify the page, or divide it into several.',
  }
}
