import { useState } from 'preact/hooks'
import { Select } from '../../ui/input.tsx'
import { Section } from '../../ui/page.tsx'
import { chooseLanguage, chosenLanguage, languageOf, languages, nameOf } from '../../words/languages.ts'
import { t } from '../../words/words.ts'

/** Select value for the language of the browser. */
const BROWSER = 'browser'

export function LanguageSection() {
  const [chosen, setChosen] = useState<string>(chosenLanguage() ?? BROWSER)
  const preferred = nameOf(languageOf(navigator.languages))
  return (
    <Section title={t('Language')} about={t('Of the dashboard, in this browser.')}>
      <Select
        aria-label={t('Language')}
        value={chosen}
        options={[
          { value: BROWSER, label: t('As in the browser: {language}', { language: preferred }) },
          ...languages().map((value) => ({ value, label: nameOf(value) })),
        ]}
        onChange={(value) => {
          setChosen(value)
          chooseLanguage(value === BROWSER ? null : value)
        }}
      />
    </Section>
  )
}
