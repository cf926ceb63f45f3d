/* SPDX-License-Identifier: MIT */
/* The style sheet and the script of pages, made from page.css and page.js. */
#ifndef TR_PAGE_INT_H
#define TR_PAGE_INT_H

extern const char tr__page_style[], tr__page_script[];

#endif
