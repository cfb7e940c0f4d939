import { DownOutlined, MenuOutlined } from '@ant-design/icons';
import { App, Button, ConfigProvider, Drawer, Grid, Layout, Spin } from 'antd';
import enUS from 'antd/locale/en_US';
import zhCN from 'antd/locale/zh_CN';
import 'antd/dist/reset.css';
import { type MouseEvent, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { useLanguage } from '../../shared/i18n/i18n';
import { ErrorBoundary } from '../../shared/parts/error-boundary';
import { PartFailed } from '../../shared/parts/part-failed';
import { prefetchWhenIdle } from '../../shared/parts/prefetch';
import { useIsDark } from '../../shared/theme';
import { SCREENS } from '../screens';
import { AccountMenu } from './account-menu';
import { Brand } from './brand';
import { Navigation } from './navigation';
import { NoScreen } from './no-screen';
import { PaletteButton } from './palette/palette-button';
import { panelTheme } from './panel-theme';
import { useOwnPresence } from './use-own-presence';
import './shell.css';

/** The frame of the panel: the menu next to the screens, in a drawer on phones. */
export function Shell() {
  const isDark = useIsDark();
  const language = useLanguage();
  return (
    <ConfigProvider
      theme={panelTheme(isDark)}
      locale={language === 'en' ? enUS : zhCN}
      button={{ autoInsertSpace: false }}
      // antd's own icon has the accessible name “down” in every language.
      select={{ suffixIcon: <DownOutlined aria-hidden /> }}
    >
      <App>
        <Router base="/admin">
          <Frame />
        </Router>
      </App>
    </ConfigProvider>
  );
}

function Frame() {
  const { t } = useTranslation('panel');
  useOwnPresence();
  const isWide = Grid.useBreakpoint().lg ?? true;
  const [isMenuOpen, setMenuOpen] = useState(false);
  const content = useRef<HTMLElement>(null);
  const [location] = useLocation();
  useEffect(() => prefetchWhenIdle(SCREENS.map(({ component }) => component)), []);
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    content.current?.focus();
  };
  return (
    <Layout className="shell">
      <a className="skip-link" href="#panel-content" onClick={skip}>
        {t('skip')}
      </a>
      {isWide && (
        <Layout.Sider className="shell-sider" width={224}>
          <Brand />
          <Navigation />
        </Layout.Sider>
      )}
      <Layout>
        <Layout.Header className="shell-header">
          {!isWide && (
            <Button
              icon={<MenuOutlined aria-hidden />}
              aria-label={t('menu')}
              onClick={() => setMenuOpen(true)}
            />
          )}
          <PaletteButton />
          <AccountMenu />
        </Layout.Header>
        <Layout.Content id="panel-content" className="shell-content" ref={content} tabIndex={-1}>
          <ErrorBoundary
            key={location.split('/')[1]}
            renderFailed={(retry) => <PartFailed onRetry={retry} isScreen />}
          >
            <Suspense fallback={<Spin />}>
              <Switch>
                <Route path="/">
                  <Redirect to="/overview" replace />
                </Route>
                {SCREENS.map(({ name, component }) => (
                  <Route key={name} path={`/${name}`} component={component} />
                ))}
                <Route component={NoScreen} />
              </Switch>
            </Suspense>
          </ErrorBoundary>
        </Layout.Content>
      </Layout>
      <Drawer
        open={isMenuOpen && !isWide}
        placement="left"
        size={260}
        title={<Brand />}
        styles={{ body: { padding: 0 } }}
        onClose={() => setMenuOpen(false)}
      >
        <Navigation onNavigate={() => setMenuOpen(false)} />
      </Drawer>
    </Layout>
  );
}
