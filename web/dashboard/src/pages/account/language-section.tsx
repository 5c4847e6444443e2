import { useState } from 'preact/hooks'
import { Select } from '../../ui/input.tsx'
import { Section } from '../../ui/page.tsx'
import {
  chooseLanguage,
  languageOwnName,
  listLanguages,
  matchLanguage,
  readChosenLanguage,
} from '../../words/languages.ts'
import { t } from '../../words/words.ts'

/** Select value for the language of the browser. */
const BROWSER_LANGUAGE = 'browser'

export function LanguageSection() {
  const [chosen, setChosen] = useState<string>(readChosenLanguage() ?? BROWSER_LANGUAGE)
  const preferred = languageOwnName(matchLanguage(navigator.languages))
  return (
    <Section title={t('Language')} about={t('Of the dashboard, in this browser.')}>
      <Select
        aria-label={t('Language')}
        value={chosen}
        options={[
          { value: BROWSER_LANGUAGE, label: t('As in the browser: {language}', { language: preferred }) },
          ...listLanguages().map((value) => ({ value, label: languageOwnName(value) })),
        ]}
        onChange={(value) => {
          setChosen(value)
          chooseLanguage(value === BROWSER_LANGUAGE ? null : value)
        }}
      />
    </Section>
  )
}
