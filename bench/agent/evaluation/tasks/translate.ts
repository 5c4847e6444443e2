/** Tasks that translate pages: the text changes, but code, URLs and structure do not. */
import { has, lacks, sameCode } from '../expectations.ts'
import { edit, finish, read, turns, write } from '../recording.ts'
import { type Files, KEEPSAKE, STARTER, type Task } from '../task.ts'

const HIDDEN = 'Keep it out of the menu for now: write "hidden: true" into its frontmatter.'

const GERMAN = `---
title: "Schnellstart"
description: "Ihr erster Schnappschuss in zwei Minuten."
hidden: true
---

<Steps>
  <Step title="Einen Tresor anlegen">
    \`\`\`bash
    keepsake vault create /mnt/backup/vault
    \`\`\`
  </Step>

  <Step title="Einen Schnappschuss machen">
    \`\`\`bash
    keepsake snapshot ~/pictures
    \`\`\`

    Der erste kopiert alles. Spätere kopieren, was sich geändert hat.
  </Step>

  <Step title="Ansehen">
    \`\`\`bash
    keepsake list
    \`\`\`
  </Step>
</Steps>

## Weiter

- [Jede Nacht Schnappschüsse machen](/guides/schedule)
- [Einen Ordner zurückholen](/guides/restore)
`

/** The German page is behind the English one. */
const BEHIND: Files = {
  ...KEEPSAKE,
  'de/quickstart.mdx': GERMAN.replace(/\n {2}<Step title="Ansehen">[\s\S]*?<\/Step>\n/, ''),
}

export const TRANSLATIONS: readonly Task[] = [
  {
    id: 'translate-german',
    kind: 'translate',
    site: KEEPSAKE,
    prompt: `Translate the quickstart into German, as de/quickstart.mdx. ${HIDDEN}`,
    expects: [
      has('de/quickstart.mdx', 'hidden: true', /title: .*Schnell|title: .*Erste/i, '](/guides/schedule)'),
      lacks('de/quickstart.mdx', 'Your first snapshot', 'Take a snapshot'),
      sameCode('quickstart.mdx', 'de/quickstart.mdx'),
    ],
    mayChange: ['de/quickstart.mdx'],
    mostLines: 45,
    recording: turns(
      [read('quickstart.mdx')],
      [write('de/quickstart.mdx', GERMAN)],
      [finish('Add the quickstart in German', 'It is hidden for now.', 'de/quickstart.mdx')],
    ),
  },
  {
    id: 'translate-french',
    kind: 'translate',
    site: KEEPSAKE,
    prompt: `Translate the guide on schedules into French, as fr/guides/schedule.mdx. ${HIDDEN}`,
    expects: [
      has('fr/guides/schedule.mdx', 'hidden: true', '[`keep`](/reference/settings)', /nuit/i, '30'),
      lacks('fr/guides/schedule.mdx', 'every night', 'unless'),
      sameCode('guides/schedule.mdx', 'fr/guides/schedule.mdx'),
    ],
    mayChange: ['fr/guides/schedule.mdx'],
    mostLines: 30,
    recording: turns(
      [read('guides/schedule.mdx')],
      [
        write(
          'fr/guides/schedule.mdx',
          `---
title: "Un instantané chaque nuit"
description: "Laissez Keepsake travailler seul."
hidden: true
---

\`\`\`bash
keepsake schedule ~/pictures --at 02:30
\`\`\`

Keepsake prend un instantané du dossier chaque nuit à cette heure. Une machine éteinte rattrape son retard quand elle est rallumée.

## Combien sont gardés

Les 30 derniers instantanés d'un dossier sont gardés, sauf si [\`keep\`](/reference/settings) en décide autrement.

## Ensuite

- [Récupérer un dossier](/guides/restore)
`,
        ),
      ],
      [finish('Add the guide on schedules in French', 'It is hidden for now.', 'fr/guides/schedule.mdx')],
    ),
  },
  {
    id: 'translate-spanish',
    kind: 'translate',
    site: KEEPSAKE,
    prompt: `Translate the settings page into Spanish, as es/reference/settings.mdx. ${HIDDEN}`,
    expects: [
      has(
        'es/reference/settings.mdx',
        'hidden: true',
        '| `vault` |',
        '| `keep` | `30` |',
        '| `ignore` | `[]` |',
      ),
      has('es/reference/settings.mdx', 'keepsake.toml', /instantáneas|copias/i),
      lacks('es/reference/settings.mdx', 'Where snapshots are kept', 'Means'),
    ],
    mayChange: ['es/reference/settings.mdx'],
    mostLines: 15,
    recording: turns(
      [read('reference/settings.mdx')],
      [
        write(
          'es/reference/settings.mdx',
          `---
title: "Ajustes"
description: "Lo que contiene keepsake.toml."
hidden: true
---

| Ajuste | Valor inicial | Significado |
|---|---|---|
| \`vault\` | ninguno | Dónde se guardan las instantáneas. |
| \`keep\` | \`30\` | Instantáneas de una carpeta que se conservan; las más antiguas se borran. |
| \`ignore\` | \`[]\` | Patrones de archivos que se omiten. |
`,
        ),
      ],
      [finish('Add the settings in Spanish', 'They are hidden for now.', 'es/reference/settings.mdx')],
    ),
  },
  {
    id: 'translate-japanese',
    kind: 'translate',
    site: STARTER,
    prompt: `Translate the first page into Japanese, as ja/index.mdx. ${HIDDEN}`,
    expects: [
      has('ja/index.mdx', 'hidden: true', /[\u3041-\u30ff]/, 'href="/quickstart"', '/images/overview.svg'),
      has('ja/index.mdx', 'icon="rocket"', '<CardGroup cols={2}>'),
      lacks('ja/index.mdx', 'This site is yours'),
    ],
    mayChange: ['ja/index.mdx'],
    mostLines: 25,
    recording: turns(
      [read('index.mdx')],
      [
        write(
          'ja/index.mdx',
          `---
title: "ようこそ"
description: "ドキュメントの最初のページです。"
hidden: true
---

このサイトは自由に変更できます。各ページはコンポーネントを含む Markdown のファイルで、ページのつながりは \`docs.json\` に書かれています。

<CardGroup cols={2}>
  <Card title="クイックスタート" icon="rocket" href="/quickstart">
    一分以内に変更をブラウザーで確認できます。
  </Card>
  <Card title="API リファレンス" icon="code" href="/guides/pages#pages-from-an-api-description">
    OpenAPI の記述から作られるページです。
  </Card>
</CardGroup>

![リクエストの流れ：読者からサービスを経て応答まで](/images/overview.svg)
`,
        ),
      ],
      [finish('Add the first page in Japanese', 'It is hidden for now.', 'ja/index.mdx')],
    ),
  },
  {
    id: 'translation-behind',
    kind: 'translate',
    site: BEHIND,
    prompt:
      'The German quickstart lacks the last step of the English one. Bring it up to date, and leave the rest of it alone.',
    expects: [
      has('de/quickstart.mdx', 'keepsake list', 'Einen Schnappschuss machen', '## Weiter'),
      lacks('de/quickstart.mdx', 'Look at it'),
      sameCode('quickstart.mdx', 'de/quickstart.mdx'),
    ],
    mayChange: ['de/quickstart.mdx'],
    mostLines: 8,
    recording: turns(
      [read('quickstart.mdx'), read('de/quickstart.mdx')],
      [
        edit(
          'de/quickstart.mdx',
          '</Steps>',
          '\n  <Step title="Ansehen">\n    ```bash\n    keepsake list\n    ```\n  </Step>\n</Steps>',
        ),
      ],
      [finish('Bring the German quickstart up to date', 'It has the last step now.', 'de/quickstart.mdx')],
    ),
  },
]
