import { SettingOutlined } from '@ant-design/icons';
import { Button, Checkbox, Flex, Input, Modal, Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSavedViews } from './saved-views';
import { DENSITIES, type ListView } from './use-list-view';
import './view-settings.css';

interface Props<Row> {
  view: ListView<Row>;
  /** Names of the list's filters in the URL. */
  filters: readonly string[];
}

/** Button and dialog for the saved views, density and columns of a list. */
export function ViewSettings<Row>({ view, filters }: Props<Row>) {
  const { t } = useTranslation('panel');
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        className="view-settings-button"
        icon={<SettingOutlined aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('lists.view')}
      </Button>
      <Modal
        open={isOpen}
        width={400}
        title={t('lists.view')}
        onCancel={close}
        destroyOnHidden
        footer={
          <Button type="primary" onClick={close}>
            {t('parts.close')}
          </Button>
        }
      >
        <div className="view-settings">
          <SavedViews list={view.name} filters={filters} onApply={close} />
          <section aria-labelledby="view-density">
            <h3 id="view-density">{t('lists.density')}</h3>
            <Segmented
              block
              aria-labelledby="view-density"
              value={view.density}
              options={DENSITIES.map((value) => ({ value, label: t(`lists.densities.${value}`) }))}
              onChange={view.setDensity}
            />
          </section>
          <section aria-labelledby="view-columns">
            <h3 id="view-columns">{t('lists.columns')}</h3>
            <Checkbox.Group<string>
              className="view-columns"
              value={view.columns.map(({ key }) => key)}
              options={view.all.slice(1).map(({ key, title }) => ({ value: key, label: title }))}
              onChange={view.setColumns}
            />
          </section>
        </div>
      </Modal>
    </>
  );
}

interface SavedViewsProps {
  list: string;
  filters: readonly string[];
  /** Called after a view was applied. */
  onApply: () => void;
}

const MAX_NAME = 40;

function SavedViews({ list, filters, onApply }: SavedViewsProps) {
  const { t } = useTranslation('panel');
  const saved = useSavedViews(list, filters);
  const [name, setName] = useState('');
  const trimmed = name.trim();
  const mayAdd = !saved.isFull || saved.views.some((view) => view.name === trimmed);
  const save = (): void => {
    if (trimmed === '' || !mayAdd) return;
    saved.save(trimmed);
    setName('');
  };
  return (
    <section aria-labelledby="view-saved">
      <h2 id="view-saved">{t('lists.saved')}</h2>
      {saved.views.length > 0 && (
        <ul className="saved-views" aria-labelledby="view-saved">
          {saved.views.map((view) => (
            <li key={view.name}>
              <Button
                type="link"
                onClick={() => {
                  saved.apply(view);
                  onApply();
                }}
              >
                {view.name}
              </Button>
              <Button
                size="small"
                aria-label={t('lists.deleteView', { name: view.name })}
                onClick={() => saved.remove(view.name)}
              >
                {t('parts.delete')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Flex gap="small">
        <Input
          aria-label={t('lists.viewName')}
          placeholder={t('lists.viewName')}
          maxLength={MAX_NAME}
          value={name}
          onChange={({ target }) => setName(target.value)}
          onPressEnter={save}
        />
        <Button disabled={trimmed === '' || !mayAdd} onClick={save}>
          {t('lists.saveView')}
        </Button>
      </Flex>
    </section>
  );
}
