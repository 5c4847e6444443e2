/** check: reports the problems that the change caused, as the check before publishing does. */
import { Type } from 'typebox'
import { formatProblems } from '../check/format-problems.ts'
import { defineTool } from '../loop/define-tool.ts'
import { plural } from '../loop/result-text.ts'

export const check = defineTool({
  name: 'check',
  description:
    'Loads the site with your changes and names the problems they brought: pages that do not compile, broken links, images and links to headings, mistakes in docs.json. A new page without a title, a description or a place in the navigation, and a page that went without a redirect, count too, and so do words that the rules of prose and the names of the site want otherwise. What was wrong before you came is not named. Nothing is published while there are any.',
  input: Type.Object({}, { additionalProperties: false }),
  run: async (context) => {
    if (context.workspace.changes.size === 0) return 'Nothing is changed, so there is nothing to check.'
    const problems = await context.findNewProblems(context.signal)
    if (problems.length === 0) return 'The change brought no problems.'
    return `The change brought ${plural(problems.length, 'problem')}:\n${formatProblems(problems)}`
  },
})
