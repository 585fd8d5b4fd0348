import { BrowserPage } from "./browserPage";

new BrowserPage(document.body);
