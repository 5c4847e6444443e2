/**
 * Patterns that are not linear, or that the checker wrongly reports, each with the reason why it is safe. `start` is
 * the beginning of the pattern. Without a file, an exception applies to all files.
 */
const of = (bound, ...found) => found.map(([file, start]) => ({ bound, file, start }))

export const EXCEPTIONS = [
  ...of(
    'They begin at the first of a run only, and so read each run once; the judge counts the look behind as reading.',
    [null, '(?<!\\/)\\/+$'],
    [null, '^\\/+|(?<!\\/)\\/+$'],
    [null, '^\\.?\\/+|(?<!\\/)\\/+$'],
    [null, '^-+|(?<!-)-+$'],
    [null, '(?<!\\ufffd)\\ufffd+$'],
    [null, '(?<!\\*)\\*+(NO_CI)'],
    ['src/render/versions/output-names.ts', '(?<![. ])[. ]+$'],
    ['src/features/dashboard/app-files.ts', '(?<!\\s)\\s*;\\s*'],
    ['src/render/islands/island-scripts.ts', '(?<!\\s)\\s+as\\s+'],
  ),
  ...of(
    'Each part ends at a character that the next one begins with, or begins at the start of a line only; measured with a megabyte of each delimiter in tests/faults/hostile-fuzz.test.ts.',
    ['src/site/pages/scan-page.ts', '^ {0,3}\\[(?!\\^)'],
    ['src/site/pages/scan-page.ts', '(?<=[\\s"\'}])(href|src'],
    ['src/render/compile/compile-variables.ts', '(?<![$=\\\\{])\\{\\{'],
    ['src/render/compile/compile-page.ts', '\\brequire\\('],
    ['src/render/compile/page-tokens.ts', '^(?:import|export)'],
    ['src/openapi/description.ts', '(^[ \\t]*(`{3,}'],
    ['src/openapi/description.ts', 'new RegExp('],
    ['src/render/chrome/api-bar.ts', '(\\{[^{}]*\\}|(?<=\\/)'],
    ['src/render/html/css-urls.ts', '"(?:[^"'],
    ['src/render/api/hand-written.ts', '(?<=\\/):'],
  ),
  ...of('The text is cut to two thousand characters first.', [
    'src/render/compile/compile-expression.ts',
    ' \\(note: ',
  ]),
  ...of(
    'A question of a thousand characters at most, or a statement of two thousand.',
    ['src/features/assistant/questions.ts', '\\S+@\\S+'],
    ['src/features/assistant/verify-statements.ts', ''],
    ['web/reader/assistant/safe-markdown.ts', ''],
  ),
  ...of('The text is a line of settings of at most a few thousand characters.', [
    'src/site/reference/operation-reference.ts',
    'new RegExp(',
  ]),
  ...of('Patterns of grammars, run in a render child, which is ended after its time.', [
    'src/render/highlight/pattern-translation.ts',
    'new RegExp(',
  ]),
  ...of(
    'It runs in the isolate of a page, which is ended after its time.',
    ['src/render/components/author-props.tsx', '^(?:https?:)?'],
    ['src/render/isolate/module-scope.ts', 'new RegExp('],
    ['src/render/isolate/web-address.ts', '[^/]*$'],
    ['src/render/isolate/web-globals.ts', 'new RegExp('],
    ['src/render/html/inline-markup.ts', 'new RegExp('],
  ),
  ...of(
    "The operator's own settings and files, and messages of programs that are part of the product.",
    ['src/render/machinery/built-ins.ts', ',url\\('],
    ['src/app/config/agent-config.ts', '^([^<>\\p{Cc}]+?) <'],
    ['src/cli/commands/demo-agent.ts', '<p>'],
    ['src/cli/commands/demo-agent.ts', '<[^>]*>'],
    ['src/git/git.ts', '(\\d+)\\.(\\d+)'],
    ['src/model/prices.ts', '^([^=]+:'],
    ['src/model/replay-file.ts', 'new RegExp('],
    ['src/model/model-failure.ts', 'model.{0,120}'],
    ['src/features/accounts/keys/api-key-text.ts', 'new RegExp('],
  ),
  ...of(
    'What is put in at run time is a name of letters, or escaped, and the rest has one part without a bound.',
    ['src/import/markdown/prose.ts', 'new RegExp('],
    ['src/render/compile/compile-indents.ts', 'new RegExp('],
    ['src/render/compile/page-tokens.ts', 'new RegExp('],
    ['src/render/compile/compile-variables.ts', 'new RegExp('],
    ['src/render/html/css-urls.ts', 'new RegExp('],
    ['src/render/html/css-fonts.ts', 'new RegExp('],
    ['src/render/machinery/fonts.ts', 'new RegExp('],
    ['src/render/icons/icon-problems.ts', 'new RegExp('],
    ['src/render/islands/island-scripts.ts', 'new RegExp('],
    ['src/site/pages/scan-page.ts', 'new RegExp('],
  ),
  ...of(
    'It runs in the browser of the one whose text it is, or on what the server has shortened.',
    ['web/dashboard/src/pages/agent/job-tool.tsx', '"((?:'],
    ['web/dashboard/src/pages/agent/job-tool.tsx', 'new RegExp('],
    ['web/reader/feedback-fields.ts', 'new RegExp('],
    ['web/reader/markdown-of.ts', '[ \\t]+\\n'],
  ),
]
