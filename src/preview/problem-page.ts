/** What is shown while there is no site: why not. The page is loaded again when there is one. */
import type { Problem } from '../base/errors/problem.ts'
import { escapeHtml } from '../render/html/html.ts'

export function problemPage(problems: readonly Problem[]): string {
  const items = problems.map(
    ({ file, line, message, remedy }) =>
      `<li><code>${escapeHtml(file)}${line === null ? '' : `:${line}`}</code><p>${escapeHtml(message)}</p><p>${escapeHtml(remedy)}</p></li>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>No site yet</title>
<style>:root{color-scheme:light dark}body{font:16px/1.6 ui-sans-serif,system-ui,sans-serif;max-width:42rem;margin:12vh auto;padding:0 24px}h1{font-size:24px;letter-spacing:-.02em}ul{list-style:none;padding:0}li{margin:20px 0}p{margin:4px 0}code{font:14px ui-monospace,monospace}</style></head>
<body><main><h1>There is no site to show yet</h1><p>This page changes by itself when the folder does.</p><ul>${items.join('')}</ul></main></body></html>
`
}
