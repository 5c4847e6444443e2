/** Tests which code files of the docs folder belong to its pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../load-site.ts'

const SETTINGS = JSON.stringify({
  name: 'T',
  colors: { primary: '#123456' },
  navigation: { pages: ['index'] },
})

test('does not load scripts that a browser cannot run, and reports a hint', async () => {
  const site = await loadSite(
    openMemoryTree({
      'docs.json': SETTINGS,
      'index.mdx': 'x',
      'banner.js': '/*\nimport this: into your site\nexport default\n*/\ndocument.title = "a"\n',
      'umd.js':
        '(function (a, b) {\n  if (typeof exports === "object") module.exports = b(require("c"))\n})(this)\n',
      'build.js': 'const { readFile } = require("node:fs")\nreadFile("a")\n',
      'config.js': 'module.exports = {}\n',
      'run.js': '#!/usr/bin/env node\nconsole.log(1)\n',
      'module.js': 'import fs from "fs"\n',
      'values.js': '// some\nexport const a = 1\n',
    }),
  )
  assert.deepEqual(site.scripts, ['banner.js', 'umd.js'])
  assert.deepEqual(
    site.problems.map(({ file, code, level }) => [file, code, level]),
    ['build.js', 'config.js', 'module.js', 'run.js', 'values.js'].map((file) => [
      file,
      'script.not_loaded',
      'hint',
    ]),
  )
})

test('reports the later of two scripts that declare the same name, with both files', async () => {
  const site = await loadSite(
    openMemoryTree({
      'docs.json': SETTINGS,
      'index.mdx': 'x',
      'a.js': 'const bar = 1\nfunction shared() {}\nvar free = 1\n',
      'b.js':
        '// the same again\nvar free = 2\nfunction shared() {}\nlet { x: [bar = 2] } = { x: [] }\nconst own = 1\n',
      // Scripts that do not run declare nothing.
      'c.js': 'const own = 2\n',
      'd.js': '{ const bar = 3 }\n(() => { class bar {} })()\n',
      'e.js': 'class free {}\n',
      'f.js': 'const const = 1\nconst bar = 1\n',
    }),
  )
  assert.deepEqual(
    site.problems.map(({ file, line, code, level, message }) => [file, line, code, level, message]),
    [
      ['b.js', 4, 'bar', 'a.js'],
      ['e.js', 1, 'free', 'a.js'],
    ].map(([file, line, name, other]) => [
      file,
      line,
      'script.name_twice',
      'hint',
      `Browsers reject this script because it declares ${name}, which ${other} already declares.`,
    ]),
  )
  assert.deepEqual(site.scripts, ['a.js', 'b.js', 'c.js', 'd.js', 'e.js', 'f.js'])
})

test('does not check code files that no page imports', async () => {
  const site = await loadSite(
    openMemoryTree({
      'docs.json': SETTINGS,
      'index.mdx': "import { A } from '/snippets/a.jsx'\n\n<A />\n",
      'snippets/a.jsx': "import { b } from './b.ts'\nexport const A = () => b\n",
      'snippets/b.ts': "import { gone } from './gone.ts'\nexport const b = gone\n",
      'tools/build.ts': "import { x } from './missing.ts'\nimport fs from 'node:fs'\n",
      'tools/other.ts': "import { y } from './missing.ts'\n",
    }),
  )
  assert.deepEqual(
    site.problems.map(({ file, code }) => [file, code]),
    [['snippets/b.ts', 'import.missing']],
  )
})
