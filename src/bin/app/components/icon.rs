//! Line icons, 16 by 16, in the ink of the text around them.

use yew::prelude::*;

/// What an icon shows.
#[derive(Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Shape {
    Restart,
    Play,
    Pause,
    Step,
    Back,
    Fork,
    Theme,
    Link,
    Menu,
    Close,
    Caution,
    Error,
    Flag,
}

impl Shape {
    fn lines(self) -> &'static str {
        match self {
            Self::Restart => "M4 3v3.5h3.5M4.3 6.3A5 5 0 1 1 3 9.5",
            Self::Step => "M12.5 3v10",
            Self::Back => "M3.5 3v10",
            Self::Fork => "M4 5v6M4 8.500c5 0 8-.5 8-3.500",
            Self::Link => {
                "M6.5 9.5l3-3M7.5 4.5l1.2-1.2a2.6 2.6 0 0 1 3.8 3.8L11 8.5M8.5 11.5l-1.2 1.2a2.6 2.6 0 0 1-3.8-3.8L5 7.5"
            }
            Self::Menu => "M2 4h12M2 8h12M2 12h12",
            Self::Close => "M4 4l8 8M12 4l-8 8",
            Self::Caution => "M8 2.2L14.6 13.4H1.4zM8 6.5v3.2M8 11.4v.4",
            Self::Error => "M5.5 1.8h5l3.7 3.7v5l-3.7 3.7h-5L1.8 10.500V5.500zM8 5v4M8 10.900v.4",
            Self::Theme => "M8 2.200a5.800 5.800 0 1 0 0 11.600a5.800 5.800 0 1 0 0-11.600z",
            Self::Play | Self::Pause | Self::Flag => "",
        }
    }

    fn solid(self) -> &'static str {
        match self {
            Self::Play => "M4.500 2.500l9 5.500-9 5.500z",
            Self::Pause => "M4 3h3v10H4zM9 3h3v10H9z",
            Self::Step => "M3.500 3l7 5-7 5z",
            Self::Back => "M12.500 3l-7 5 7 5z",
            Self::Fork => {
                "M2.500 3.500a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0zM2.500 12.500a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0zM10.500 3.500a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0-3 0z"
            }
            Self::Theme => "M8 2.200a5.800 5.800 0 0 1 0 11.600z",
            Self::Flag => "M3 2h1.500v12H3zM5.500 2.500h7.500l-2 3 2 3H5.500z",
            _ => "",
        }
    }
}

/// Properties of [`Icon`].
#[derive(Properties, PartialEq)]
pub struct Props {
    /// What it shows. Its meaning must stand in words beside it or in the control's label.
    pub shape: Shape,
}

/// An icon, silent to screen readers.
#[component]
pub fn Icon(props: &Props) -> Html {
    html! {
        <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path class="icon-solid" d={props.shape.solid()} />
            <path class="icon-line" d={props.shape.lines()} />
        </svg>
    }
}

/// The mark of balancescope: a wire, CPUs above and below it, and one task that moved.
pub fn mark() -> Html {
    html! {
        <svg class="mark" viewBox="0 0 24 20" aria-hidden="true" focusable="false">
            <path class="icon-line" d="M2 10h20M6.500 6v8M13 6v4M17.500 10v3" />
            <circle cx="6.500" cy="4.200" r="2.400" /><circle cx="13" cy="4.200" r="2.400" />
            <circle cx="6.500" cy="15.800" r="2.400" />
            <path class="hue-newidle" d="M17.500 12.300l3.200 3.200-3.200 3.200-3.200-3.200z" />
        </svg>
    }
}
